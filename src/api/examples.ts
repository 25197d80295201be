/**
 * The examples of the documentation: requests to the demo world with their complete responses. A test sends each request and
 * compares. Those of quotes are in quote-examples.ts.
 */

export interface Example {
  /** The id in the path, where there is one. */
  id?: string
  query?: string
  answer: object
}

export const LIST_RESOURCES_EXAMPLE: Example = {
  query: 'limit=2',
  answer: {
    object: 'list',
    url: '/api/resources',
    hasMore: true,
    data: [
      {
        object: 'resource',
        id: 'res_0040',
        name: 'Festoon lights, 60 m, no. 2',
        description: 'Warm white, every fifth bulb spare.',
        imageUrl: null,
        category: 'Light',
        status: 'Active',
        locationId: 'loc_los_angeles',
        createdAt: '2026-07-15T05:20:58.536Z',
        updatedAt: '2026-07-15T05:20:58.536Z',
      },
      {
        object: 'resource',
        id: 'res_0039',
        name: 'Uplights, set of twelve, no. 2',
        description: 'Battery powered, eight hours at full brightness.',
        imageUrl: 'https://images.example.com/harborlight/resources/res_0039.jpg',
        category: 'Light',
        status: 'Active',
        locationId: 'loc_denver',
        createdAt: '2026-07-07T09:24:57.073Z',
        updatedAt: '2026-07-27T09:24:57.073Z',
      },
    ],
  },
}

export const GET_RESOURCE_EXAMPLE: Example = {
  id: 'res_0001',
  answer: {
    object: 'resource',
    id: 'res_0001',
    name: 'Open-air booth “Gull”',
    description: 'Aluminum stand, ring light, dye-sublimation printer. Two cases, 38 kg.',
    imageUrl: 'https://images.example.com/harborlight/resources/res_0001.jpg',
    category: 'Photo booth',
    status: 'Active',
    locationId: 'loc_brooklyn',
    createdAt: '2025-09-13T19:56:01.463Z',
    updatedAt: '2025-09-13T19:56:01.463Z',
  },
}

export const GET_STAFF_EXAMPLE: Example = {
  id: 'staff_0001',
  answer: {
    object: 'staff',
    id: 'staff_0001',
    firstName: 'Rosalind',
    lastName: 'Ferreira',
    email: 'rosalind.ferreira@harborlight.example.com',
    phone: '(718) 555-0119',
    role: 'Event manager',
    status: 'active',
    createdAt: '2025-09-18T09:00:04.615Z',
    updatedAt: '2025-09-18T09:00:04.615Z',
  },
}

export const GET_FORM_RESPONSE_EXAMPLE: Example = {
  id: 'resp_0085_2',
  answer: [
    {
      id: 'resp_0085_2',
      createdAt: '2026-06-03T06:00:00.000Z',
      updatedAt: '2026-06-03T06:00:00.000Z',
      formId: 'form_feedback',
      bookingId: 'book_0085',
      quoteId: null,
      companyId: 'co_harborlight',
      formQuestionResponses: [
        {
          id: 'answer_0085_2_1',
          response: '5',
          createdAt: '2026-06-03T06:00:00.000Z',
          updatedAt: '2026-06-03T06:00:00.000Z',
          question: {
            id: 'question_feedback_stars',
            title: 'How many stars do you give us?',
            type: 'NUMBER',
            subtitle: 'One to five.',
            position: 1,
            systemRequired: false,
            userRequired: true,
            linkedSystemField: null,
          },
        },
        {
          id: 'answer_0085_2_3',
          response: 'Quieter fans.',
          createdAt: '2026-06-03T06:00:00.000Z',
          updatedAt: '2026-06-03T06:00:00.000Z',
          question: {
            id: 'question_feedback_worse',
            title: 'What should we do better?',
            type: 'TEXT',
            subtitle: null,
            position: 3,
            systemRequired: false,
            userRequired: false,
            linkedSystemField: null,
          },
        },
      ],
    },
  ],
}

export const GET_INVOICE_REFERENCE_EXAMPLE: Example = {
  id: 'book_0246',
  answer: {
    bookingId: 'book_0246',
    invoiceIds: ['inv_0246_1'],
    invoiceUrls: ['http://127.0.0.1:3000/i/vusuqKwFwbc2wXMcd2k2LobjagQ6znuspcgBTxj_bJZPSQwQKYFZHjj86ngmpcw'],
  },
}

export const TASK_BODY_EXAMPLE = {
  eventId: 'event_0246_1',
  description: 'Confirm the loading dock with the venue',
  dueDate: '2026-12-01T17:00:00+09:00',
}

/** The id and the creation time are new each time. */
export const CREATE_TASK_EXAMPLE: Example = {
  answer: {
    success: true,
    task: {
      id: 'task_01a1ddb3-ca5b-72c5-b56a-759237bdeb4a',
      description: 'Confirm the loading dock with the venue',
      dueDate: '2026-12-01T08:00:00.000Z',
      eventId: 'event_0246_1',
      completed: false,
      createdAt: '2026-11-15T05:35:09.915Z',
    },
  },
}
