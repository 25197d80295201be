/** The questions of the public quote form. They have no answers in the demo. */
import type { QuestionText } from './form-questions.ts'

type Question = Omit<QuestionText, 'answer'>

const QUESTIONS: readonly Question[] = [
  {
    slug: 'welcome',
    title: 'Tell us about your event',
    type: 'DISPLAYTEXT',
    subtitle: 'It takes two minutes. You get a quote by email, usually the next working day.',
  },
  { slug: 'name', title: 'Your name', type: 'TEXT', required: 'SYSTEM', linkedSystemField: 'name' },
  { slug: 'email', title: 'Email address', type: 'TEXT', required: 'SYSTEM', linkedSystemField: 'email' },
  {
    slug: 'phone',
    title: 'Phone number',
    type: 'TEXT',
    subtitle: 'If you would rather be called.',
    linkedSystemField: 'phone',
  },
  {
    slug: 'event_type',
    title: 'What are you planning?',
    type: 'DROPDOWN',
    required: 'USER',
    linkedSystemField: 'eventType',
  },
  {
    slug: 'location',
    title: 'Which of our locations is closest?',
    type: 'DROPDOWN',
    linkedSystemField: 'location',
  },
  { slug: 'date', title: 'On which day?', type: 'DATE', required: 'USER', linkedSystemField: 'eventDate' },
  {
    slug: 'start',
    title: 'When does it begin?',
    type: 'TIME',
    subtitle: 'Local time at the venue.',
    linkedSystemField: 'serviceStartTime',
  },
  { slug: 'end', title: 'When does it end?', type: 'TIME', linkedSystemField: 'serviceEndTime' },
  {
    slug: 'guests',
    title: 'How many guests do you expect?',
    type: 'NUMBER',
    required: 'USER',
    linkedSystemField: 'guestCount',
  },
  {
    slug: 'address',
    title: 'Where does it take place?',
    type: 'ADDRESS',
    subtitle: 'The city is enough if you are still looking.',
    linkedSystemField: 'eventAddress',
  },
  { slug: 'extras', title: 'Which extras would you like?', type: 'ADDONS' },
  { slug: 'outdoors', title: 'Is it outdoors?', type: 'YESNO' },
  {
    slug: 'rain',
    title: 'What happens if it rains?',
    type: 'MULTICHOICE',
    required: 'USER',
    options: ['There is a tent', 'We move indoors', 'We need a tent'],
    showWhen: ['outdoors', 'Yes'],
  },
  { slug: 'else', title: 'Anything else we should know?', type: 'TEXT' },
]

export const INQUIRY: readonly QuestionText[] = QUESTIONS.map((question) => ({
  ...question,
  answer: () => null,
}))
