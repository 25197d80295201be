import type { SummerTime } from './times.ts'

/** The branches of generated companies, with invented venues nearby. */
export interface BranchText {
  name: string
  streetAddress?: string
  city: string
  state?: string
  zip: string
  timeZone: string
  /** Hours in winter. */
  utcOffset: number
  summerTime: SummerTime
  phonePrefix: string
  tax: readonly [name: string, rate: number]
  /** Until last spring. Quotes of that time still have it. */
  formerTax?: readonly [name: string, rate: number]
  venues: readonly (readonly [name: string, street: string])[]
}

export const BRANCHES = {
  brooklyn: {
    name: 'Red Hook Studio',
    streetAddress: '212 Ferris Street',
    city: 'Brooklyn',
    state: 'NY',
    zip: '11231',
    timeZone: 'America/New_York',
    utcOffset: -5,
    summerTime: 'AMERICA',
    phonePrefix: '(718) ',
    tax: ['New York City sales tax', 8.875],
    formerTax: ['New York City sales tax (until March)', 8.625],
    venues: [
      ['Pier Glass Hall', '88 Imlay Street'],
      ['The Ropewalk', '14 Coffey Street'],
      ['Gowanus Boiler Room', '301 Butler Street'],
      ['Saint Brendan Parish House', '9 Verona Street'],
      ['Fern & Furnace Greenhouse', '455 Union Street'],
      ['Prospect Terrace Library', '27 Plaza Street East'],
    ],
  },
  chicago: {
    name: 'Fulton Market Workshop',
    streetAddress: '930 West Lake Street, Unit 4',
    city: 'Chicago',
    state: 'IL',
    zip: '60607',
    timeZone: 'America/Chicago',
    utcOffset: -6,
    summerTime: 'AMERICA',
    phonePrefix: '(312) ',
    tax: ['Chicago sales tax', 10.25],
    venues: [
      ['Coldstore No. 5', '217 North Carpenter Street'],
      ['Lakeview Boat Club', '3600 North Recreation Drive'],
      ['The Typesetters’ Ballroom', '701 South Dearborn Street'],
      ['Garfield Palm House', '300 North Central Park Avenue'],
      ['Halsted Street Armory', '1840 South Halsted Street'],
    ],
  },
  denver: {
    name: 'RiNo Depot',
    streetAddress: '3055 Walnut Street',
    city: 'Denver',
    state: 'CO',
    zip: '80205',
    timeZone: 'America/Denver',
    utcOffset: -7,
    summerTime: 'AMERICA',
    phonePrefix: '(720) ',
    tax: ['Denver combined sales tax', 8.81],
    venues: [
      ['Aspen Ledger Lodge', '18 Lookout Mountain Road'],
      ['Platte Riverside Pavilion', '2250 15th Street'],
      ['The Assay Office', '1421 Blake Street'],
      ['Cheesman Conservatory', '1101 Race Street'],
    ],
  },
  los_angeles: {
    name: 'Frogtown Garage',
    city: 'Los Angeles',
    state: 'CA',
    zip: '90039',
    timeZone: 'America/Los_Angeles',
    utcOffset: -8,
    summerTime: 'AMERICA',
    phonePrefix: '(323) ',
    tax: ['Los Angeles County sales tax', 9.75],
    venues: [
      ['Casa Jacaranda', '2214 Silver Ridge Avenue'],
      ['Stage Eleven', '5010 West Adams Boulevard'],
      ['Elysian Orchard', '1880 Academy Road'],
      ['The Neon Yard', '607 Mateo Street'],
      ['Topanga Ridge House', '440 Old Canyon Road'],
    ],
  },
  lisbon: {
    name: 'Estúdio Marvila',
    streetAddress: 'Rua do Açúcar 76',
    city: 'Lisboa',
    zip: '1950-009',
    timeZone: 'Europe/Lisbon',
    utcOffset: 0,
    summerTime: 'EUROPE',
    phonePrefix: '+351 21 ',
    tax: ['IVA (taxa normal)', 23],
    venues: [
      ['Palácio das Andorinhas', 'Calçada do Combro 41'],
      ['Armazém 12', 'Rua da Cintura do Porto 12'],
      ['Quinta da Ribeira Velha', 'Estrada de Colares 300'],
      ['Terraço São Vicente', 'Travessa das Mónicas 8'],
    ],
  },
  tokyo: {
    name: 'Sumida Workshop',
    streetAddress: '2-8-14 Higashi-Komagata',
    city: 'Tōkyō',
    zip: '130-0005',
    timeZone: 'Asia/Tokyo',
    utcOffset: 9,
    summerTime: 'NONE',
    phonePrefix: '+81 3 ',
    tax: ['Consumption tax (消費税)', 10],
    venues: [
      ['Kawabe Sky Hall', '1-3-9 Azumabashi'],
      ['Yanagi Garden House', '5-16-2 Ueno-Sakuragi'],
      ['Ōkura Brick Warehouse', '1-1-4 Shinkō'],
      ['Hotaru Tea Pavilion', '3-7-21 Kiyosumi'],
    ],
  },
  paris: {
    name: 'Atelier Canal',
    streetAddress: '57 quai de Valmy',
    city: 'Paris',
    zip: '75010',
    timeZone: 'Europe/Paris',
    utcOffset: 1,
    summerTime: 'EUROPE',
    phonePrefix: '+33 1 ',
    tax: ['TVA 20 %', 20],
    formerTax: ['TVA 19,6 % (ancien taux)', 19.6],
    venues: [
      ['Hôtel des Tisserands', '18 rue de Turenne'],
      ['Serre Montgallet', '102 avenue Daumesnil'],
      ['Péniche Églantine', 'port de Javel Bas'],
      ['La Verrerie Oberkampf', '64 rue Oberkampf'],
    ],
  },
  lyon: {
    name: 'Dépôt Confluence',
    streetAddress: '9 cours Charlemagne',
    city: 'Lyon',
    zip: '69002',
    timeZone: 'Europe/Paris',
    utcOffset: 1,
    summerTime: 'EUROPE',
    phonePrefix: '+33 4 ',
    tax: ['TVA restauration', 10],
    venues: [
      ['Villa Fourvière', '31 montée Saint-Barthélemy'],
      ['Halle aux Soies', '5 rue des Capucins'],
      ['Château de la Garenne', '240 route de Limonest'],
    ],
  },
  winnipeg: {
    name: 'Exchange District Shop',
    streetAddress: '115 Bannatyne Avenue',
    city: 'Winnipeg',
    state: 'MB',
    zip: 'R3B 0R3',
    timeZone: 'America/Winnipeg',
    utcOffset: -6,
    summerTime: 'AMERICA',
    phonePrefix: '(204) ',
    tax: ['GST and RST', 12],
    venues: [
      ['Assiniboine Boathouse', '55 Pavilion Crescent'],
      ['Grain & Rail Hall', '180 Pioneer Avenue'],
      ['Salle Saint-Boniface', '340 boulevard Provencher'],
    ],
  },
  bristol: {
    name: 'Spike Island Yard',
    streetAddress: '4 Cumberland Road',
    city: 'Bristol',
    zip: 'BS1 6XN',
    timeZone: 'Europe/London',
    utcOffset: 0,
    summerTime: 'EUROPE',
    phonePrefix: '+44 117 ',
    tax: ['VAT', 20],
    venues: [
      ['Tobacco Quay Rooms', '22 Redcliff Backs'],
      ['The Glasshouse at Ashton', 'Long Ashton Lane'],
      ['Clifton Observatory Tea Room', 'Litfield Road'],
    ],
  },
  seattle: {
    name: 'Ballard Warehouse',
    streetAddress: '1407 Northwest 50th Street',
    city: 'Seattle',
    state: 'WA',
    zip: '98107',
    timeZone: 'America/Los_Angeles',
    utcOffset: -8,
    summerTime: 'AMERICA',
    phonePrefix: '(206) ',
    tax: ['Seattle sales tax', 10.35],
    venues: [
      ['Shilshole Net Loft', '6301 Seaview Avenue NW'],
      ['Union Lake Crew House', '1171 Fairview Avenue N'],
      ['The Cartographers’ Club', '84 Union Street'],
    ],
  },
} as const satisfies Record<string, BranchText>

export type BranchKey = keyof typeof BRANCHES

/** An address in one line. */
export function addressOf(text: BranchText, venue: BranchText['venues'][number]): string {
  const [name, street] = venue
  const town =
    text.state === undefined ? `${text.zip} ${text.city}` : `${text.city}, ${text.state} ${text.zip}`
  return `${name}, ${street}, ${town}`
}
