/** Equipment and staff roles of the generated companies. */
import { parseTable } from './table.ts'

/** Category, picture, name, description. */
const TABLE = `
Photo booth | image | Open-air booth “Gull” | Aluminum stand, ring light, dye-sublimation printer. Two cases, 38 kg.
Photo booth | image | Vintage booth “Odéon” | Walnut cabinet with velvet curtain. Needs a ramp and three people.
Photo booth |  | Slow-motion rig | Camera arm, turntable and six LED panels.
Bar | image | Oak bar, four meters | Three segments with ice wells; the front panels can be exchanged.
Bar | image | Zinc bar, two meters | Fits through a 75 cm door.
Bar | image | Espresso cart “Lioness” | Two-group lever machine on an ash cart; 16 A, 40 liters of water on board.
Bar | image | Champagne wall
Kitchen | image | Pizza trailer | Wood-fired oven, 900 kg on one axle. Tow license required.
Kitchen |  | Combi steamer | Ten trays, three-phase power.
Kitchen | image | Refrigerated trailer
Kitchen |  | Induction station
Vehicle | image | Van with tail lift | 3.5 t, tail lift for 500 kg, low-emission sticker.
Vehicle |  | Cargo bike | For the old town, where vans may not go after ten.
Tent | image | Frame tent, 6 × 6 m | White, four side walls with windows, 24 concrete weights.
Tent |  | Pagoda tent, 4 × 4 m
Light | image | Uplights, set of twelve | Battery powered, eight hours at full brightness.
Light |  | Festoon lights, 60 m | Warm white, every fifth bulb spare.
Sound |  | Speaker pair with microphone
Power |  | Generator, 7 kVA | Quiet enough for a garden: 58 dB at seven meters.
 |  | Box of adapters nobody may lend out
Furniture |  | Long tables, set of ten | Beech, 220 × 80 cm, folding.
Furniture | image | Lounge set “Søndag” | Two sofas, four poufs, a rug.
Tableware |  | Glassware, 300 pieces
`

export const RESOURCE_TEXTS = parseTable(TABLE).map(([category, image, name = '', description]) => ({
  category,
  hasImage: image === 'image',
  name,
  description,
}))

export const STAFF_ROLES: readonly string[] = [
  'Event manager',
  'Head bartender',
  'Booth attendant',
  'Server',
  'Chef de partie',
  'Driver',
  'Barista',
  'Bartender',
  'Technician',
]
