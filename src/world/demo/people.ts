import type { Random } from './random.ts'

/** Invented people and client companies. */

const FIRST_NAMES =
  `Mara José Priya Łukasz Anaïs Tobias Keisha Søren Ngọc Helena Oluwaseun Zoë Mateus Yuki Farida Callum
  Inês Dmitri Rosalind Émile Aiko Jamal Siân Thiago Noor Björn Lucía Desmond Wanjiru Haruto Clémence Ravi Maeve Çağla
  Gideon Paloma Isak Beatriz Kofi Agnieszka Linnea Omar Saoirse Teodor Valentina Wei Marguerite Hugo Imani Rafael
  Solveig Andrés Kiera`
    .trim()
    .split(/\s+/)

const LAST_NAMES =
  `Okafor Lindqvist Marchetti Nguyễn Castellanos O’Rourke Dąbrowski Whitfield Yamamoto Ferreira Haddad
  Beauchamp Sørensen Adeyemi Kowalczyk Delacroix Tanaka Brennan Villanueva Iyer Hartmann Mbeki Sandoval Pereira Ashworth
  Kılıç Novák Fitzgerald Rahman Hoffmann Moreau Takahashi Quintero Eriksen Bianchi Abernathy Diallo Vasquez Lemaire
  Petrović Nakamura Gallagher Osei Montgomery Szabó Arslan Thibault`
    .trim()
    .split(/\s+/)

const CLIENT_NAMES =
  `Larkspur Brightwater Foxglove Kestrel Tidewater Marigold Ironwood Bluestem Halcyon Juniper Northwind
  Saltmarsh Cobalt Thistle Wrenfield Amberley Quayside Sequoia Lanternfish Hollis`
    .trim()
    .split(/\s+/)

const CLIENT_TRADES = [
  'Robotics',
  'Architects',
  'Credit Union',
  'Film Festival',
  'Public Library Foundation',
  'Dental Group',
  'Biosciences',
  'Running Club',
  'Theater Company',
  'Coffee Roasters',
  'Law Partners',
  'Children’s Hospital Trust',
  'Shipping & Freight',
]

const MAIL_DOMAINS = ['example.com', 'example.org', 'example.net']

/** Letters that do not decompose into a plain letter and a mark. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', ı: 'i' }

function mailPart(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[łøı]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
  return plain.normalize('NFD').replaceAll(/[^a-z0-9]+/g, '')
}

export interface Person {
  firstName: string
  lastName: string
}

/** Cached by name: a benchmark world has hundreds of thousands of addresses. */
const MAIL_PARTS = new Map(
  [...FIRST_NAMES, ...LAST_NAMES, ...CLIENT_NAMES].map((name) => [name, mailPart(name)]),
)

export function personOf(random: Random): Person {
  return { firstName: random.pick(FIRST_NAMES), lastName: random.pick(LAST_NAMES) }
}

/** The people of one team have different names: neither list's length shares a factor with the other's. */
export function teamMember(number: number): Person {
  const firstName = FIRST_NAMES[(number * 5) % FIRST_NAMES.length] ?? ''
  const lastName = LAST_NAMES[(number * 11) % LAST_NAMES.length] ?? ''
  return { firstName, lastName }
}

export function mailOf({ firstName, lastName }: Person, domain: string): string {
  return `${MAIL_PARTS.get(firstName) ?? 'info'}.${MAIL_PARTS.get(lastName) ?? 'info'}@${domain}`
}

export function mailDomain(random: Random): string {
  return random.pick(MAIL_DOMAINS)
}

/** Numbers from 555-0100 to 555-0199 are reserved for fiction. */
export function phoneOf(random: Random, prefix: string): string {
  return `${prefix}555-01${String(random.int(0, 99)).padStart(2, '0')}`
}

export function clientCompany(random: Random): { name: string; mail: string } {
  const name = random.pick(CLIENT_NAMES)
  return {
    name: `${name} ${random.pick(CLIENT_TRADES)}`,
    mail: `events@${MAIL_PARTS.get(name) ?? 'info'}.example.com`,
  }
}
