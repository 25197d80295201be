/** Texts of generated quotes, bookings, events and tasks. */

/** The middle of an event's description. */
export const EVENT_DETAILS: readonly string[] = [
  'Load-in through the freight elevator, which holds 900 kg.',
  'The string quartet needs the corner by the windows.',
  'Two guests use wheelchairs; keep 1.2 meters between tables.',
  'The host wants the bar to be the first thing people see.',
  'Speeches at a quarter past seven, no grinding of coffee during them.',
  'Colors are rust and pale green.',
  'A third of the guests is vegetarian, eleven are vegan.',
  'There is no parking on the street after four.',
  'The photo backdrop should hide the fire door without blocking it.',
  'Music has to stop at eleven because of the neighbors.',
  'The couple’s dog attends and is afraid of balloons.',
  'Children get their own table near the booth.',
  'The building’s own caterer must be out by three.',
  'Power: two circuits of 16 A on the east wall.',
  'A drone will film between five and six.',
  'Guests arrive in two waves, forty minutes apart.',
  'Nut allergy at the head table.',
  'The customer brings flowers and candles, we bring the rest.',
  'One set-up, then the room is turned around during the tour.',
]

/** The end of it. */
export const EVENT_CLOSINGS: readonly string[] = [
  'Budget is firm.',
  'They compare us with one other company.',
  'Found us through the harbour festival.',
  'Wants to taste before signing.',
  'Please call rather than write.',
  'Décor is settled, the menu is not.',
  'Second date possible a week later.',
  'Will decide with the board on Tuesday.',
  'Prefers one invoice for everything.',
  'Same set-up as last year, with more glasses.',
  'Asked twice about the rain plan.',
]

/** Notes on lines. */
export const LINE_NOTES: readonly string[] = [
  'On the terrace, weather permitting',
  'From the arrival of the guests until the cake',
  'Second room, for the children',
  'Same set-up on every day',
  'With your own playlist',
  'As tasted in the studio',
  'Set-up before the venue opens',
  'Including the pause during the speeches',
  'Beside the coat check',
]

/** The payer, if it is not the lead. */
export const INVOICE_ENTITIES: readonly string[] = [
  'The {name} family trust',
  'Parents of {name}',
  '{name} Household',
]

export const PAYMENT_METHODS: readonly string[] = ['Credit card', 'Bank transfer', 'Check', 'Cash on the day']

export const BILLING_NOTES: readonly string[] = [
  'Quote the cost center 4410 on every invoice.',
  'Send paper copies as well; their accounts department files them.',
  'Pays from two accounts, see the e-mail of the first week.',
  'No invoices in August, the office is closed.',
  'Add “Fête d’été” to the subject.',
]

export const LOCATION_INFO: readonly string[] = [
  'Second courtyard, blue door, code from the site contact.',
  'The hall is on the third floor; the elevator key is at reception.',
  'Gate 4, not the main gate.',
  'Behind the greenhouse, follow the gravel path.',
]

export const PARKING_INFO: readonly string[] = [
  'Loading zone until 10:00, then the garage on the corner.',
  'One van only; the second parks at the depot.',
  'Ramp at the back, 3.1 meters clearance.',
  'Permit goes on the dashboard; it is in the event folder.',
]

export const SPECIAL_NOTES: readonly string[] = [
  'Customer is nervous about the timing: send a message on arrival.',
  'Keep the prints of the board members apart, they want them framed.',
  'The venue’s floor is new; felt pads under every leg.',
  'Return the borrowed samovar to the Haddads.',
  'A moment of silence at eight, stop all machines.',
]

export const DRESS_CODES: readonly string[] = [
  'Black shirt, black apron',
  'White shirt, bow tie',
  'Company polo, dark trousers',
  'Linen, no logos',
]

export const TASK_TEXTS: readonly string[] = [
  'Confirm the loading time with the venue',
  'Order dry ice for pick-up on the morning',
  'Print the name cards and check the accents (Zoë, Łukasz)',
  'Send the certificate of insurance to the venue',
  'Pack the spare printer and two rolls of paper',
  'Ask the customer for the final number of guests',
  'Book the van with the tail lift',
  'Collect the glassware from the rental company',
  'Call the site contact about parking',
  'Update the backdrop artwork: the date is wrong',
  'Reserve hotel rooms for the crew',
  'Check the allergens list against the menu',
  'Charge the batteries of the uplights',
  'Write a thank-you note and send the gallery link',
  'Return the keys to the caretaker',
  'Count the linen before it goes to the laundry',
  'Upload the slow-motion clips',
  'Test the card reader on the venue’s network',
]

/** Events without a booking. */
export const OWN_EVENTS: readonly (readonly [name: string, description: string])[] = [
  ['Tasting evening', 'Autumn menu for couples who have not decided yet, six tables.'],
  ['Crew training: new espresso carts', 'Milk, grinder settings, what to do when the pump loses pressure.'],
  ['Open studio', 'Neighbors and venue managers look at the booths; coffee is on us.'],
]
