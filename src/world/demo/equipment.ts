/** What made-up companies own, and what their people do. */

export const RESOURCE_TEXTS: readonly {
  name: string
  category?: string
  description?: string
  hasImage?: true
}[] = [
  {
    name: 'Open-air booth “Gull”',
    category: 'Photo booth',
    description: 'Aluminum stand, ring light, dye-sublimation printer. Two cases, 38 kg.',
    hasImage: true,
  },
  {
    name: 'Vintage booth “Odéon”',
    category: 'Photo booth',
    description: 'Walnut cabinet with velvet curtain. Needs a ramp and three people.',
    hasImage: true,
  },
  {
    name: 'Slow-motion rig',
    category: 'Photo booth',
    description: 'Camera arm, turntable and six LED panels.',
  },
  {
    name: 'Oak bar, four meters',
    category: 'Bar',
    description: 'Three segments with ice wells; the front panels can be exchanged.',
    hasImage: true,
  },
  {
    name: 'Zinc bar, two meters',
    category: 'Bar',
    description: 'Fits through a 75 cm door.',
    hasImage: true,
  },
  {
    name: 'Espresso cart “Lioness”',
    category: 'Bar',
    description: 'Two-group lever machine on an ash cart; 16 A, 40 liters of water on board.',
    hasImage: true,
  },
  { name: 'Champagne wall', category: 'Bar', hasImage: true },
  {
    name: 'Pizza trailer',
    category: 'Kitchen',
    description: 'Wood-fired oven, 900 kg on one axle. Tow license required.',
    hasImage: true,
  },
  { name: 'Combi steamer', category: 'Kitchen', description: 'Ten trays, three-phase power.' },
  { name: 'Refrigerated trailer', category: 'Kitchen', hasImage: true },
  { name: 'Induction station', category: 'Kitchen' },
  {
    name: 'Van with tail lift',
    category: 'Vehicle',
    description: '3.5 t, tail lift for 500 kg, low-emission sticker.',
    hasImage: true,
  },
  {
    name: 'Cargo bike',
    category: 'Vehicle',
    description: 'For the old town, where vans may not go after ten.',
  },
  {
    name: 'Frame tent, 6 × 6 m',
    category: 'Tent',
    description: 'White, four side walls with windows, 24 concrete weights.',
    hasImage: true,
  },
  { name: 'Pagoda tent, 4 × 4 m', category: 'Tent' },
  {
    name: 'Uplights, set of twelve',
    category: 'Light',
    description: 'Battery powered, eight hours at full brightness.',
    hasImage: true,
  },
  { name: 'Festoon lights, 60 m', category: 'Light', description: 'Warm white, every fifth bulb spare.' },
  { name: 'Speaker pair with microphone', category: 'Sound' },
  {
    name: 'Generator, 7 kVA',
    category: 'Power',
    description: 'Quiet enough for a garden: 58 dB at seven meters.',
  },
  { name: 'Box of adapters nobody may lend out' },
  { name: 'Long tables, set of ten', category: 'Furniture', description: 'Beech, 220 × 80 cm, folding.' },
  {
    name: 'Lounge set “Søndag”',
    category: 'Furniture',
    description: 'Two sofas, four poufs, a rug.',
    hasImage: true,
  },
  { name: 'Glassware, 300 pieces', category: 'Tableware' },
]

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
