/** What made-up companies sell. Prices are in US cents; other currencies are worked out from them. */

export type Trade = 'CATERING' | 'BOOTH' | 'BAR'

/** What a quantity counts. */
export type Unit = 'hours' | 'guests' | 'pieces' | 'flat'

export interface ItemText {
  /** Part of the id. */
  slug: string
  trade: Trade
  name: string
  description?: string
  hasImage?: true
  unit: Unit
  usdCents: number
  archived?: true
}

export const SERVICE_TEXTS: readonly ItemText[] = [
  {
    slug: 'open_air_booth',
    trade: 'BOOTH',
    name: 'Open-air photo booth',
    description:
      'Camera, ring light and backdrop for groups of up to ten, with an attendant and unlimited prints.',
    hasImage: true,
    unit: 'hours',
    usdCents: 24_500,
  },
  {
    slug: 'vintage_booth',
    trade: 'BOOTH',
    name: 'Vintage curtain booth',
    description:
      'A walnut cabinet from the 1960s with a new camera inside; black-and-white strips in eleven seconds.',
    hasImage: true,
    unit: 'hours',
    usdCents: 29_900,
  },
  {
    slug: 'slow_motion_stage',
    trade: 'BOOTH',
    name: 'Slow-motion stage',
    description: 'High-speed video at 240 frames a second, edited and sent to guests on the spot.',
    unit: 'hours',
    usdCents: 41_250,
  },
  {
    slug: 'roaming_photographer',
    trade: 'BOOTH',
    name: 'Roaming photographer',
    description: 'One photographer among the guests and a gallery of edited pictures within three days.',
    hasImage: true,
    unit: 'hours',
    usdCents: 19_500,
  },
  {
    slug: 'mirror_booth',
    trade: 'BOOTH',
    name: 'Mirror booth',
    description: 'Full-length touch mirror. Replaced by the open-air booth.',
    hasImage: true,
    unit: 'hours',
    usdCents: 27_000,
    archived: true,
  },
  {
    slug: 'mobile_bar',
    trade: 'BAR',
    name: 'Mobile bar',
    description:
      'Four-meter bar with ice wells, glassware and two bartenders. Spirits are billed by consumption.',
    hasImage: true,
    unit: 'hours',
    usdCents: 38_000,
  },
  {
    slug: 'espresso_cart',
    trade: 'BAR',
    name: 'Espresso cart',
    description: 'Two-group machine, barista, oat and whole milk, cups for up to 150 guests.',
    hasImage: true,
    unit: 'hours',
    usdCents: 17_750,
  },
  {
    slug: 'champagne_wall',
    trade: 'BAR',
    name: 'Champagne wall',
    description: 'A hedge with sixty glass holders, filled twice. Crémant or alcohol-free on request.',
    hasImage: true,
    unit: 'pieces',
    usdCents: 89_000,
  },
  {
    slug: 'cocktail_class',
    trade: 'BAR',
    name: 'Cocktail class',
    description: 'Three drinks in ninety minutes, taught at the bar by a head bartender.',
    unit: 'guests',
    usdCents: 5_450,
  },
  { slug: 'open_bar', trade: 'BAR', name: 'Open bar, beer and wine', unit: 'guests', usdCents: 2_875 },
  {
    slug: 'smoothie_bike',
    trade: 'BAR',
    name: 'Smoothie bike',
    description: 'Guests pedal, the blender turns. Withdrawn after the 2025 season.',
    unit: 'hours',
    usdCents: 12_000,
    archived: true,
  },
  {
    slug: 'seated_dinner',
    trade: 'CATERING',
    name: 'Seated dinner, three courses',
    description:
      'Menu of the season with a vegetarian and a fish course to choose from; service staff included.',
    hasImage: true,
    unit: 'guests',
    usdCents: 9_850,
  },
  {
    slug: 'grazing_table',
    trade: 'CATERING',
    name: 'Grazing table',
    description: 'Cheeses, charcuterie, pickles, breads and fruit, laid out on one long table.',
    hasImage: true,
    unit: 'guests',
    usdCents: 3_475,
  },
  {
    slug: 'canape_reception',
    trade: 'CATERING',
    name: 'Canapé reception',
    description: 'Eight canapés a guest, passed for two hours.',
    unit: 'guests',
    usdCents: 4_290,
  },
  {
    slug: 'wood_fired_pizza',
    trade: 'CATERING',
    name: 'Wood-fired pizza trailer',
    description:
      'Oven on wheels, two pizzaioli, five pizzas on the board. Needs nine meters of level ground.',
    hasImage: true,
    unit: 'flat',
    usdCents: 214_500,
  },
  {
    slug: 'brunch_buffet',
    trade: 'CATERING',
    name: 'Brunch buffet',
    description: 'Warm and cold dishes, juices and coffee, refilled until two o’clock.',
    unit: 'guests',
    usdCents: 4_125,
  },
  { slug: 'crew_meals', trade: 'CATERING', name: 'Crew meals', unit: 'pieces', usdCents: 2_200 },
]

export const ADDON_TEXTS: readonly ItemText[] = [
  {
    slug: 'guest_book',
    trade: 'BOOTH',
    name: 'Guest book',
    description: 'A second print of every strip, glued in and signed before the guests leave the booth.',
    hasImage: true,
    unit: 'flat',
    usdCents: 14_900,
  },
  {
    slug: 'custom_backdrop',
    trade: 'BOOTH',
    name: 'Custom backdrop',
    description: 'Printed fabric, 2.4 by 2.4 meters, with names, a date or a logo.',
    hasImage: true,
    unit: 'flat',
    usdCents: 32_500,
  },
  { slug: 'prop_box', trade: 'BOOTH', name: 'Box of props', unit: 'flat', usdCents: 6_500 },
  {
    slug: 'gif_station',
    trade: 'BOOTH',
    name: 'GIF station',
    description: 'Four frames, looped and sent by text message.',
    unit: 'hours',
    usdCents: 7_900,
  },
  {
    slug: 'usb_archive',
    trade: 'BOOTH',
    name: 'Pictures on a USB stick',
    description: 'Replaced by the online gallery.',
    unit: 'flat',
    usdCents: 4_900,
    archived: true,
  },
  {
    slug: 'glass_upgrade',
    trade: 'BAR',
    name: 'Crystal glassware',
    description: 'Coupes, highballs and wine glasses instead of the house set.',
    hasImage: true,
    unit: 'guests',
    usdCents: 385,
  },
  {
    slug: 'signature_cocktail',
    trade: 'BAR',
    name: 'Signature cocktail',
    description: 'A drink invented for the day, with a name card on the bar.',
    hasImage: true,
    unit: 'pieces',
    usdCents: 17_500,
  },
  { slug: 'zero_proof_menu', trade: 'BAR', name: 'Zero-proof menu', unit: 'flat', usdCents: 12_250 },
  {
    slug: 'late_bar',
    trade: 'BAR',
    name: 'Late bar',
    description: 'The bar stays open after midnight, with one bartender.',
    unit: 'hours',
    usdCents: 21_000,
  },
  {
    slug: 'ice_sculpture',
    trade: 'BAR',
    name: 'Ice sculpture',
    description: 'Carved block with a drink luge. No longer offered for lack of cold storage.',
    hasImage: true,
    unit: 'flat',
    usdCents: 64_000,
    archived: true,
  },
  {
    slug: 'cake_service',
    trade: 'CATERING',
    name: 'Cake cutting and service',
    description: 'Plates, forks and two pairs of hands; the cake itself is brought by the customer.',
    unit: 'guests',
    usdCents: 275,
  },
  {
    slug: 'midnight_snack',
    trade: 'CATERING',
    name: 'Midnight snack',
    description: 'Grilled cheese or tteokbokki in paper trays, served from eleven.',
    hasImage: true,
    unit: 'guests',
    usdCents: 925,
  },
  { slug: 'linen', trade: 'CATERING', name: 'Table linen', unit: 'pieces', usdCents: 1_850 },
  {
    slug: 'kids_menu',
    trade: 'CATERING',
    name: 'Children’s menu',
    description: 'Pasta, cucumber, a clementine. Served first.',
    unit: 'pieces',
    usdCents: 1_650,
  },
]

/** Lines that are in no price list. */
export const CUSTOM_LINES: readonly (readonly [description: string, usdCents: number])[] = [
  ['Generator and cabling for the meadow', 38_500],
  ['Ferry tickets for the van, both ways', 9_640],
  ['Extra clean-up after the confetti', 17_500],
  ['Menu cards in Portuguese and English', 8_800],
  ['Overnight guard for the equipment', 44_000],
  ['Site visit with the venue’s technician', 12_500],
  ['Kosher kitchen supervision', 61_000],
  ['Rain plan: second tent on hold until noon the day before', 27_500],
  ['Bar front repainted in your company blue', 35_250],
  ['Hotel for two crew members', 31_875],
  ['Temporary alcohol permit, at cost', 10_313],
  ['Corkage for your own crémant', 7_425],
  ['Lift rental for the gallery floor', 24_999],
  ['Translation of the safety briefing', 5_000],
]
