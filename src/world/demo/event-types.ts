/** The event types of generated companies. */
export interface EventTypeText {
  /** Part of the id. */
  slug: string
  name: string
  /** The usual hosts. */
  hosts: 'PEOPLE' | 'COMPANIES' | 'ANYBODY'
  /** Only some last for days. */
  lasts: 'HOURS' | 'DAYS'
  guests: readonly [from: number, to: number]
  /** Local start hours. */
  starts: readonly number[]
  openings: readonly string[]
}

export const EVENT_TYPES: readonly EventTypeText[] = [
  {
    slug: 'wedding',
    name: 'Wedding',
    hosts: 'PEOPLE',
    lasts: 'DAYS',
    guests: [45, 220],
    starts: [15, 16, 16.5, 17],
    openings: [
      'Wedding of two marine biologists with {guests} guests; the ceremony is in the garden, dinner indoors.',
      'Second wedding of a couple that once eloped, {guests} guests, this time with everybody.',
      'Reception straight after the registry office, {guests} guests, dancing from nine.',
      'Bilingual wedding; half of the {guests} guests arrive by chartered bus.',
      'Wedding on a farm, {guests} guests, boots advised.',
    ],
  },
  {
    slug: 'corporate',
    name: 'Company party',
    hosts: 'COMPANIES',
    lasts: 'HOURS',
    guests: [60, 350],
    starts: [17, 18, 18.5],
    openings: [
      'Party of the whole office, {guests} people, families welcome.',
      'Tenth anniversary with {guests} employees and an award for the longest serving.',
      'Team evening after the planning week; {guests} people, badges at the door.',
      'Farewell of the founder, {guests} guests, she must not know about the film.',
    ],
  },
  {
    slug: 'birthday',
    name: 'Birthday',
    hosts: 'PEOPLE',
    lasts: 'HOURS',
    guests: [20, 90],
    starts: [13, 15, 19],
    openings: [
      'Fortieth birthday, a surprise: please no signs on the van. {guests} guests.',
      'Grandmother’s eightieth with four generations, {guests} people in all.',
      'Joint birthday of three friends, {guests} guests, theme: 1977.',
      'First birthday of twins; most of the {guests} guests are adults who need coffee.',
    ],
  },
  {
    slug: 'launch',
    name: 'Product launch',
    hosts: 'COMPANIES',
    lasts: 'DAYS',
    guests: [40, 180],
    starts: [10, 18, 19.5],
    openings: [
      'Launch of a folding bicycle for press and dealers, {guests} invited.',
      'Book launch with a reading and a signing table; {guests} expected.',
      'Unveiling of a new collection to {guests} buyers and two critics.',
      'Opening of a flagship store, {guests} guests in three time slots.',
    ],
  },
  {
    slug: 'conference',
    name: 'Conference',
    hosts: 'COMPANIES',
    lasts: 'DAYS',
    guests: [80, 400],
    starts: [8, 8.5, 9],
    openings: [
      'Conference on coastal engineering; coffee breaks and a closing reception for {guests}.',
      'User meeting with {guests} attendees in three parallel tracks.',
      'Annual assembly of {guests} delegates, simultaneous interpretation in two languages.',
      'Hackathon for {guests}: somebody has to keep the coffee coming all night.',
    ],
  },
  {
    slug: 'gala',
    name: 'Gala and fundraiser',
    hosts: 'COMPANIES',
    lasts: 'HOURS',
    guests: [90, 320],
    starts: [18, 18.5, 19],
    openings: [
      'Fundraiser for the children’s ward: dinner, auction, {guests} seats.',
      'Gala of the theater’s patrons, {guests} guests, black tie.',
      'Benefit evening for the harbour museum with {guests} donors.',
      'Awards night of the trade association, {guests} at round tables.',
    ],
  },
  {
    slug: 'festival',
    name: 'Festival',
    hosts: 'ANYBODY',
    lasts: 'DAYS',
    guests: [150, 400],
    starts: [11, 12, 14],
    openings: [
      'Street festival of the quarter; our pitch is between the bakery and the stage, {guests} guests an hour.',
      'Film festival’s courtyard bar, {guests} seats, screenings at dusk.',
      'Farm festival, {guests} visitors with wristbands.',
      'Chamber music festival, {guests} listeners, silence between the movements.',
    ],
  },
  {
    slug: 'graduation',
    name: 'Graduation',
    hosts: 'PEOPLE',
    lasts: 'HOURS',
    guests: [50, 200],
    starts: [11, 14, 16],
    openings: [
      'Graduation of the nursing school, {guests} with families.',
      'School leavers’ ball, {guests} guests, all under 21: no alcohol at any table.',
      'Doctoral celebration of a whole laboratory, {guests} people.',
      'First graduate of the family; {guests} relatives are coming to see it.',
    ],
  },
  {
    slug: 'private_dinner',
    name: 'Private dinner',
    hosts: 'ANYBODY',
    lasts: 'HOURS',
    guests: [8, 36],
    starts: [18.5, 19, 20],
    openings: [
      'Dinner for {guests} at one long table, conversation before everything.',
      'Tasting menu for a wine circle of {guests}; glasses matter more than flowers.',
      'Anniversary dinner for {guests}, the same menu as thirty years ago.',
      'Dinner for {guests} after a board meeting, brief and good.',
    ],
  },
  {
    slug: 'reunion',
    name: 'Reunion',
    hosts: 'PEOPLE',
    lasts: 'DAYS',
    guests: [35, 180],
    starts: [12, 16, 17.5],
    openings: [
      'Class of 1996 meets again, {guests} people, name tags with the old pictures.',
      'Reunion of a family in four branches, {guests} people, two of them over a hundred.',
      'Former crew of a research ship, {guests} guests, sea shanties likely.',
      'Thirty years of a choir, {guests} singers past and present.',
    ],
  },
]
