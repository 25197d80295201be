/** Names of question types, linked fields and kinds of forms. */
import { QUESTION_TYPES } from '../../../src/core/enumerations.ts'
import type { FormPurpose, QuestionType } from '../../../src/core/enumerations.ts'
import { LINKED_FIELDS, TYPES_OF_FIELD } from '../../../src/core/forms/question.ts'
import type { LinkedField } from '../../../src/core/forms/question.ts'

export const TYPE_WORDS: Record<QuestionType, string> = {
  TEXT: 'Text',
  MULTICHOICE: 'One choice',
  MULTISELECT: 'Several choices',
  DROPDOWN: 'Dropdown',
  YESNO: 'Yes or no',
  NUMBER: 'Number',
  DATE: 'Date',
  TIME: 'Time',
  ADDRESS: 'Address',
  ADDONS: 'Add-ons',
  RESOURCE: 'Equipment',
  STAFFING_CALCULATOR: 'Number of staff',
  ACKNOWLEDGEMENTS: 'Agreement',
  DISPLAYTEXT: 'Text to read',
}

const FIELD_WORDS: Record<LinkedField, string> = {
  name: 'Name',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email address',
  phone: 'Phone number',
  companyName: 'Company',
  eventType: 'Event type',
  eventDate: 'Date of the event',
  serviceStartTime: 'Start time',
  serviceEndTime: 'End time',
  guestCount: 'Number of guests',
  eventAddress: 'Address of the event',
  location: 'Location',
}

export const PURPOSE_WORDS: Record<FormPurpose, string> = {
  QUOTE: 'Quote form',
  BOOKING: 'Booking form',
}

export const TYPE_CHOICES = (Object.keys(TYPE_WORDS) as QuestionType[])
  .filter((type) => QUESTION_TYPES.includes(type))
  .map((value) => ({ value, label: TYPE_WORDS[value] }))

export const fieldChoices = (type: QuestionType) =>
  LINKED_FIELDS.filter((field) => TYPES_OF_FIELD[field].includes(type)).map((value) => ({
    value,
    label: FIELD_WORDS[value],
  }))

/** The types whose options people enter. */
const WITH_OPTIONS: ReadonlySet<QuestionType> = new Set([
  'MULTICHOICE',
  'MULTISELECT',
  'DROPDOWN',
  'ADDONS',
  'RESOURCE',
  'ACKNOWLEDGEMENTS',
])
export const hasOptions = (type: QuestionType) => WITH_OPTIONS.has(type)
