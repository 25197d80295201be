/**
 * What the documentation shows: requests to the demo world and its answers, in full. A test sends each request and
 * compares, so that they stay true.
 */

export interface Example {
  /** The id in the path, where there is one. */
  id?: string
  query?: string
  answer: object
}

export const LIST_QUOTES_EXAMPLE: Example = {
  query: 'limit=1',
  answer: {
    object: 'list',
    url: '/api/quotes',
    hasMore: true,
    data: [
      {
        object: 'quote',
        id: 'quote_0300',
        createdAt: '2026-10-29T10:16:06.940Z',
        updatedAt: '2026-10-30T01:16:06.940Z',
        sentAt: '2026-10-30T01:16:06.940Z',
        expiresAt: '2026-12-11T00:00:00.000Z',
        bookedAt: null,
        lostAt: null,
        lostReason: null,
        leadId: 'lead_0167',
        locationId: 'loc_lisbon',
        eventTypeId: 'type_festival',
        bookingId: null,
        discountId: 'disc_referral_eur',
        taxRateId: 'tax_lisbon',
        paymentTermsId: 'terms_net_30',
        contractId: 'contract_standard',
        numberOfStaff: 5,
        numberOfResources: 1,
        guestCount: 170,
        eventAddress: 'Quinta da Ribeira Velha, Estrada de Colares 300, 1950-009 Lisboa',
        eventDescription:
          'Street festival of the quarter; our pitch is between the bakery and the stage, 170 guests an hour. Nut allergy at the head table. Prefers one invoice for everything.',
        siteContactName: null,
        siteContactPhone: null,
        entityToInvoice: null,
        currency: {
          isoCode: 'EUR',
        },
        totalPriceCents: 818005,
      },
    ],
  },
}

export const GET_QUOTE_EXAMPLE: Example = {
  id: 'quote_0246',
  query: 'expand[]=lead,booking.invoices',
  answer: {
    object: 'quote',
    id: 'quote_0246',
    createdAt: '2026-08-24T15:59:43.455Z',
    updatedAt: '2026-09-06T12:59:43.455Z',
    sentAt: '2026-08-26T17:59:43.455Z',
    expiresAt: null,
    bookedAt: '2026-09-06T12:59:43.455Z',
    lostAt: null,
    lostReason: null,
    leadId: 'lead_0135',
    locationId: 'loc_tokyo',
    eventTypeId: 'type_private_dinner',
    bookingId: 'book_0246',
    discountId: 'disc_non_profit',
    taxRateId: null,
    paymentTermsId: 'terms_card',
    contractId: 'contract_corporate',
    numberOfStaff: 1,
    numberOfResources: 1,
    guestCount: 15,
    eventAddress: 'Yanagi Garden House, 5-16-2 Ueno-Sakuragi, 130-0005 Tōkyō',
    eventDescription:
      'Dinner for 15 at one long table, conversation before everything. Music has to stop at eleven because of the neighbors.',
    siteContactName: 'Ravi Adeyemi',
    siteContactPhone: '+81 3 555-0108',
    entityToInvoice: 'Ironwood Biosciences',
    currency: {
      isoCode: 'JPY',
    },
    totalPriceCents: 94681,
    lead: {
      object: 'lead',
      id: 'lead_0135',
      name: 'Ironwood Biosciences',
      firstName: null,
      lastName: null,
      email: 'events@ironwood.example.com',
      phone: null,
      companyName: 'Ironwood Biosciences',
    },
    booking: {
      object: 'booking',
      id: 'book_0246',
      quoteId: 'quote_0246',
      leadId: 'lead_0135',
      eventTypeId: 'type_private_dinner',
      fullName: 'Ironwood Biosciences',
      email: 'events@ironwood.example.com',
      phone: null,
      entityToInvoice: 'Ironwood Biosciences',
      paymentMethod: 'Credit card',
      billingNotes: null,
      cardOnFile: true,
      currency: {
        isoCode: 'JPY',
      },
      totalPriceCents: 94681,
      gratuityAmountCents: null,
      canceledAt: null,
      createdAt: '2026-09-06T12:59:43.455Z',
      updatedAt: '2026-09-06T12:59:43.455Z',
      invoices: [
        {
          object: 'invoice',
          id: 'inv_0246_1',
          bookingId: 'book_0246',
          leadId: 'lead_0135',
          invoiceNumber: 'HE-2026-0246-1',
          description: 'Private dinner, November 13, 2026',
          notes: null,
          poNumber: 'PO-70830',
          status: 'Paid',
          currency: {
            isoCode: 'JPY',
          },
          total: 94681,
          amountPaid: 94681,
          amountDue: 0,
          dueDate: '2026-09-06T12:59:43.455Z',
          voidedAt: null,
          url: 'http://127.0.0.1:3000/i/vusuqKwFwbc2wXMcd2k2LobjagQ6znuspcgBTxj_bJZPSQwQKYFZHjj86ngmpcw',
          createdAt: '2026-09-06T12:59:43.455Z',
          updatedAt: '2026-09-08T12:59:43.455Z',
        },
      ],
    },
  },
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
