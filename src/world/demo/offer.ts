/** Services and add-ons of the generated companies. Prices are in US cents; other currencies are derived from them. */
import { parseTable } from './table.ts'

export type Trade = 'CATERING' | 'BOOTH' | 'BAR'

/** The unit of a quantity. */
export type Unit = 'hours' | 'guests' | 'pieces' | 'flat'

export interface ItemText {
  /** Part of the id. */
  slug: string
  trade: Trade
  unit: Unit
  usdCents: number
  hasImage: boolean
  archived: boolean
  name: string
  description: string | undefined
}

function parseItems(table: string): ItemText[] {
  return parseTable(table).map(([slug = '', trade, unit, usdCents, flags = '', name = '', description]) => ({
    slug,
    trade: trade as Trade,
    unit: unit as Unit,
    usdCents: Number(usdCents),
    hasImage: flags.includes('image'),
    archived: flags.includes('archived'),
    name,
    description,
  }))
}

export const SERVICE_TEXTS = parseItems(`
open_air_booth | BOOTH | hours | 24500 | image | Open-air photo booth | Camera, ring light and backdrop for groups of up to ten, with an attendant and unlimited prints.
vintage_booth | BOOTH | hours | 29900 | image | Vintage curtain booth | A walnut cabinet from the 1960s with a new camera inside; black-and-white strips in eleven seconds.
slow_motion_stage | BOOTH | hours | 41250 |  | Slow-motion stage | High-speed video at 240 frames a second, edited and sent to guests on the spot.
roaming_photographer | BOOTH | hours | 19500 | image | Roaming photographer | One photographer among the guests and a gallery of edited pictures within three days.
mirror_booth | BOOTH | hours | 27000 | image archived | Mirror booth | Full-length touch mirror. Replaced by the open-air booth.
mobile_bar | BAR | hours | 38000 | image | Mobile bar | Four-meter bar with ice wells, glassware and two bartenders. Spirits are billed by consumption.
espresso_cart | BAR | hours | 17750 | image | Espresso cart | Two-group machine, barista, oat and whole milk, cups for up to 150 guests.
champagne_wall | BAR | pieces | 89000 | image | Champagne wall | A hedge with sixty glass holders, filled twice. Crémant or alcohol-free on request.
cocktail_class | BAR | guests | 5450 |  | Cocktail class | Three drinks in ninety minutes, taught at the bar by a head bartender.
open_bar | BAR | guests | 2875 |  | Open bar, beer and wine
smoothie_bike | BAR | hours | 12000 | archived | Smoothie bike | Guests pedal, the blender turns. Withdrawn after the 2025 season.
seated_dinner | CATERING | guests | 9850 | image | Seated dinner, three courses | Menu of the season with a vegetarian and a fish course to choose from; service staff included.
grazing_table | CATERING | guests | 3475 | image | Grazing table | Cheeses, charcuterie, pickles, breads and fruit, laid out on one long table.
canape_reception | CATERING | guests | 4290 |  | Canapé reception | Eight canapés a guest, passed for two hours.
wood_fired_pizza | CATERING | flat | 214500 | image | Wood-fired pizza trailer | Oven on wheels, two pizzaioli, five pizzas on the board. Needs nine meters of level ground.
brunch_buffet | CATERING | guests | 4125 |  | Brunch buffet | Warm and cold dishes, juices and coffee, refilled until two o’clock.
crew_meals | CATERING | pieces | 2200 |  | Crew meals
`)

export const ADDON_TEXTS = parseItems(`
guest_book | BOOTH | flat | 14900 | image | Guest book | A second print of every strip, glued in and signed before the guests leave the booth.
custom_backdrop | BOOTH | flat | 32500 | image | Custom backdrop | Printed fabric, 2.4 by 2.4 meters, with names, a date or a logo.
prop_box | BOOTH | flat | 6500 |  | Box of props
gif_station | BOOTH | hours | 7900 |  | GIF station | Four frames, looped and sent by text message.
usb_archive | BOOTH | flat | 4900 | archived | Pictures on a USB stick | Replaced by the online gallery.
glass_upgrade | BAR | guests | 385 | image | Crystal glassware | Coupes, highballs and wine glasses instead of the house set.
signature_cocktail | BAR | pieces | 17500 | image | Signature cocktail | A drink invented for the day, with a name card on the bar.
zero_proof_menu | BAR | flat | 12250 |  | Zero-proof menu
late_bar | BAR | hours | 21000 |  | Late bar | The bar stays open after midnight, with one bartender.
ice_sculpture | BAR | flat | 64000 | image archived | Ice sculpture | Carved block with a drink luge. No longer offered for lack of cold storage.
cake_service | CATERING | guests | 275 |  | Cake cutting and service | Plates, forks and two pairs of hands; the cake itself is brought by the customer.
midnight_snack | CATERING | guests | 925 | image | Midnight snack | Grilled cheese or tteokbokki in paper trays, served from eleven.
linen | CATERING | pieces | 1850 |  | Table linen
kids_menu | CATERING | pieces | 1650 |  | Children’s menu | Pasta, cucumber, a clementine. Served first.
`)

/** Lines without a service or add-on. */
export const CUSTOM_LINES: readonly (readonly [description: string, usdCents: number])[] = [
  ['Generator and cabling for the meadow', 38500],
  ['Ferry tickets for the van, both ways', 9640],
  ['Extra clean-up after the confetti', 17500],
  ['Menu cards in Portuguese and English', 8800],
  ['Overnight guard for the equipment', 44000],
  ['Site visit with the venue’s technician', 12500],
  ['Kosher kitchen supervision', 61000],
  ['Rain plan: second tent on hold until noon the day before', 27500],
  ['Bar front repainted in your company blue', 35250],
  ['Hotel for two crew members', 31875],
  ['Temporary alcohol permit, at cost', 10313],
  ['Corkage for your own crémant', 7425],
  ['Lift rental for the gallery floor', 24999],
  ['Translation of the safety briefing', 5000],
]
