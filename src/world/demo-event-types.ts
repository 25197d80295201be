/** What made-up companies are hired for. */
export interface EventTypeText {
  slug: string
  name: string
  guests: readonly [from: number, to: number]
  /** Hours at which such events begin, local time. */
  starts: readonly number[]
  openings: readonly string[]
}

export const EVENT_TYPES: readonly EventTypeText[] = [
  {
    slug: 'wedding',
    name: 'Wedding',
    guests: [45, 220],
    starts: [15, 16, 16.5, 17],
    openings: [
      'Wedding of two marine biologists with {guests} guests; the ceremony is in the garden, dinner indoors.',
      'Second-day wedding party for {guests} guests, less formal than the first.',
      'Reception straight after the registry office, {guests} guests, dancing from nine.',
      'Bilingual wedding; half of the {guests} guests arrive by chartered bus.',
    ],
  },
  {
    slug: 'corporate',
    name: 'Company party',
    guests: [60, 350],
    starts: [17, 18, 18.5],
    openings: [
      'Summer party of the whole office, {guests} people, families welcome.',
      'End-of-year party for {guests} employees with an award for the longest serving.',
      'Team evening after the planning week; {guests} people, badges at the door.',
    ],
  },
  {
    slug: 'birthday',
    name: 'Birthday',
    guests: [20, 90],
    starts: [13, 15, 19],
    openings: [
      'Fortieth birthday, a surprise: please no signs on the van. {guests} guests.',
      'Grandmother’s eightieth with four generations, {guests} people in all.',
      'Joint birthday of three friends, {guests} guests, theme: 1977.',
    ],
  },
  {
    slug: 'launch',
    name: 'Product launch',
    guests: [40, 180],
    starts: [10, 18, 19.5],
    openings: [
      'Launch of a folding bicycle for press and dealers, {guests} invited.',
      'Book launch with a reading and a signing table; {guests} expected.',
      'Unveiling of a new menu to {guests} regulars and two critics.',
    ],
  },
  {
    slug: 'conference',
    name: 'Conference',
    guests: [80, 400],
    starts: [8, 8.5, 9],
    openings: [
      'Conference on coastal engineering; coffee breaks and a closing reception for {guests}.',
      'User meeting with {guests} attendees in three parallel tracks.',
      'Annual assembly of {guests} delegates, simultaneous interpretation in two languages.',
    ],
  },
  {
    slug: 'gala',
    name: 'Gala and fundraiser',
    guests: [90, 320],
    starts: [18, 18.5, 19],
    openings: [
      'Fundraiser for the children’s ward: dinner, auction, {guests} seats.',
      'Gala of the theatre’s patrons, {guests} guests, black tie.',
      'Benefit evening for the harbour museum with {guests} donors.',
    ],
  },
  {
    slug: 'festival',
    name: 'Festival',
    guests: [150, 400],
    starts: [11, 12, 14],
    openings: [
      'Street festival of the quarter; our pitch is between the bakery and the stage, about {guests} guests an hour.',
      'Film festival’s courtyard bar, {guests} seats, screenings at dusk.',
      'Harvest festival on the farm, {guests} visitors with wristbands.',
    ],
  },
  {
    slug: 'graduation',
    name: 'Graduation',
    guests: [50, 200],
    starts: [11, 14, 16],
    openings: [
      'Graduation of the nursing school, {guests} with families.',
      'School leavers’ ball, {guests} guests, all under 21: no alcohol at any table.',
      'Doctoral celebration of a whole laboratory, {guests} people.',
    ],
  },
  {
    slug: 'private_dinner',
    name: 'Private dinner',
    guests: [8, 36],
    starts: [18.5, 19, 20],
    openings: [
      'Dinner for {guests} at one long table, conversation before everything.',
      'Tasting menu for a wine circle of {guests}; glasses matter more than flowers.',
      'Anniversary dinner for {guests}, the same menu as thirty years ago.',
    ],
  },
  {
    slug: 'holiday',
    name: 'Holiday party',
    guests: [35, 240],
    starts: [16, 17.5, 18],
    openings: [
      'Holiday party with a gift exchange, {guests} guests.',
      'Winter market in the courtyard for neighbours, {guests} expected.',
      'New Year’s reception of the chamber of commerce, {guests} members.',
    ],
  },
]
