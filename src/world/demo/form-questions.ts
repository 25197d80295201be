/** The questions of the forms of generated companies. */
import type { Random } from './random.ts'
import type { QuestionType } from '../../core/enumerations.ts'

/** Facts that answers use. */
interface AnswerContext {
  eventAddress: string
  guestCount: number
  /** `2026-05-30` and `17:30`, as the event's own clock shows them; null without a date. */
  date: string | null
  time: string | null
  addonNames: readonly string[]
  resourceNames: readonly string[]
}

export interface QuestionText {
  slug: string
  title: string
  type: QuestionType
  subtitle?: string
  required?: 'SYSTEM' | 'USER'
  linkedSystemField?: string
  options?: readonly string[]
  /** Slug of an earlier question, and the answer that shows this one. */
  showWhen?: readonly [slug: string, equals: string]
  /** Null if it is not answered. */
  answer: (random: Random, context: AnswerContext) => string | null
}

const oneOf =
  (...answers: string[]) =>
  (random: Random) =>
    random.pick(answers)

const someOf =
  (...answers: string[]) =>
  (random: Random) =>
    random.sample(answers, random.int(1, 3)).join(', ')

/** One of the options. */
const choice = (...options: string[]) => ({ options, answer: oneOf(...options) })

/** Some of the options. */
const choices = (...options: string[]) => ({ options, answer: someOf(...options) })

const nothing = () => null

export const BEFORE: readonly QuestionText[] = [
  {
    slug: 'welcome',
    title: 'Thank you for planning with us',
    type: 'DISPLAYTEXT',
    subtitle: 'Ten minutes now save an hour on the day. You can come back and change your answers.',
    answer: nothing,
  },
  {
    slug: 'address',
    title: 'Where does the event take place?',
    type: 'ADDRESS',
    required: 'SYSTEM',
    linkedSystemField: 'eventAddress',
    answer: (_, context) => context.eventAddress,
  },
  {
    slug: 'date',
    title: 'On which day?',
    type: 'DATE',
    required: 'SYSTEM',
    answer: (_, context) => context.date,
  },
  {
    slug: 'start',
    title: 'When do the first guests arrive?',
    type: 'TIME',
    subtitle: 'Local time at the venue.',
    required: 'USER',
    linkedSystemField: 'serviceStartTime',
    answer: (_, context) => context.time,
  },
  {
    slug: 'guests',
    title: 'How many guests do you expect?',
    type: 'NUMBER',
    required: 'SYSTEM',
    linkedSystemField: 'guestCount',
    answer: (_, context) => String(context.guestCount),
  },
  {
    slug: 'setting',
    title: 'Indoors or outdoors?',
    type: 'MULTICHOICE',
    required: 'USER',
    ...choice('Indoors', 'Outdoors', 'Outdoors, with a room to fall back on'),
  },
  {
    slug: 'power',
    title: 'What power is there?',
    type: 'DROPDOWN',
    subtitle: 'The caretaker usually knows.',
    ...choice('Ordinary sockets', 'Two circuits of 16 A', 'Three-phase', 'None: bring a generator'),
  },
  {
    slug: 'diets',
    title: 'Which diets should the kitchen know of?',
    type: 'MULTISELECT',
    ...choices('Vegetarian', 'Vegan', 'No pork', 'Kosher', 'Halal', 'Gluten-free', 'No nuts'),
  },
  {
    slug: 'extras',
    title: 'Which extras would you like?',
    type: 'ADDONS',
    answer: (random, { addonNames }) => random.sample(addonNames, random.int(1, 3)).join(', '),
  },
  {
    slug: 'booth',
    title: 'Which of our things have you fallen for?',
    type: 'RESOURCE',
    subtitle: 'We hold it for you if it is free.',
    answer: (random, { resourceNames }) => (resourceNames.length === 0 ? null : random.pick(resourceNames)),
  },
  {
    slug: 'staffing',
    title: 'How many of us do you need?',
    type: 'STAFFING_CALCULATOR',
    subtitle: 'One for every 35 guests, at least two.',
    answer: (_, { guestCount }) => String(Math.max(2, Math.ceil(guestCount / 35))),
  },
  {
    slug: 'alcohol',
    title: 'Will alcohol be served?',
    type: 'YESNO',
    required: 'USER',
    answer: oneOf('Yes', 'Yes', 'No'),
  },
  {
    slug: 'about_place',
    title: 'Anything else we should know?',
    type: 'TEXT',
    subtitle: 'About the place.',
    answer: oneOf(
      'The gate is locked after ten; ring for Anaïs.',
      'Stairs only, sorry: 22 of them.',
      'The kitchen has no oven, but the neighbor lets us use hers.',
      'Please park behind the barn so that the view stays free.',
    ),
  },
  // The same title on purpose: a flat response must distinguish the two.
  {
    slug: 'about_people',
    title: 'Anything else we should know?',
    type: 'TEXT',
    subtitle: 'About the people.',
    answer: oneOf(
      'My uncle will ask for the recipe of everything.',
      'The twins sign; one of the crew who can too would be wonderful.',
      'We are 90 % Swedish and will sing between courses.',
      'No speeches! If anybody taps a glass, play music.',
    ),
  },
  {
    slug: 'rules',
    title: 'I have read the house rules of the venue',
    type: 'ACKNOWLEDGEMENTS',
    required: 'USER',
    answer: oneOf('I agree'),
  },
]

export const AFTER: readonly QuestionText[] = [
  {
    slug: 'stars',
    title: 'How many stars do you give us?',
    type: 'NUMBER',
    subtitle: 'One to five.',
    required: 'USER',
    answer: oneOf('5', '5', '4', '5', '3'),
  },
  {
    slug: 'best',
    title: 'What did your guests talk about the next day?',
    type: 'TEXT',
    answer: oneOf(
      'The strips of the vintage booth are on every refrigerator in the family.',
      'The midnight snack saved the dance floor.',
      'Your bartender remembered every name. Chapeau!',
      'That nobody had to wait for coffee.',
    ),
  },
  {
    slug: 'worse',
    title: 'What should we do better?',
    type: 'TEXT',
    answer: oneOf(
      'Start the booth earlier.',
      'More alcohol-free drinks.',
      'Nothing, keep Tobias.',
      'Quieter fans.',
    ),
  },
  {
    slug: 'again',
    title: 'Would you book us again?',
    type: 'YESNO',
    answer: oneOf('Yes', 'Yes', 'Yes', 'No'),
  },
]
