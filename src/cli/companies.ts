import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import { CompanyName, Country, CurrencyCode, TimeZone } from '../actions/company-input.ts'
import { createCompany } from '../actions/create-company.ts'
import { EmailAddress, PersonName } from '../actions/user-input.ts'
import { moveCompany } from '../cells/move.ts'
import { PLANS } from '../core/enumerations.ts'
import type { Plan } from '../core/enumerations.ts'
import { newId } from '../core/ids.ts'
import { hashPassword } from '../core/security/password.ts'
import type { Connection } from '../db/connect.ts'
import { runCommandAction, withCells, withDatabase } from './database.ts'
import { readOption } from './options.ts'
import { acceptPassword, takePassword } from './password-input.ts'
import type { GivenPassword } from './password-input.ts'
import { print, printRow } from './print.ts'

interface CompanyOptions {
  name: string
  country: string
  currency: string
  timeZone: string
  plan: Plan
  adminEmail: string
  adminName: string
  generate: boolean
}

export function addCompanies(program: Command): void {
  const companies = program.command('companies').description('manage the companies of this installation')
  acceptPassword(
    companies
      .command('create')
      .description('create a company with its first administrator, and print their ids')
      .requiredOption('--name <name>', 'the name of the company')
      .requiredOption('--country <code>', 'the ISO 3166-1 code of its country, such as US')
      .requiredOption('--currency <code>', 'the ISO 4217 code of its currency, such as USD')
      .requiredOption('--time-zone <name>', 'its IANA time zone, such as America/New_York')
      .requiredOption('--admin-email <address>', 'the address that the administrator signs in with')
      .requiredOption('--admin-name <name>', 'the name of the administrator')
      .addOption(new Option('--plan <plan>', 'the plan of the company').choices(PLANS).default('PREMIUM')),
    'generate a strong password and print it, too',
  ).action(async (options: CompanyOptions) => {
    const company = readCompany(options)
    const password = await takePassword(options.generate)
    await withDatabase(addCompany)(company, password)
  })
  addMove(companies)
}

const MOVE_HELP = `
CELLS names the cells and their databases: CELLS='a=postgres://… b=postgres://…'. The company can be read meanwhile; writes get 503
until the other cell has it. Repeat the command if it was interrupted. See docs/cells.md.`

function addMove(companies: Command): void {
  companies
    .command('move')
    .description('move a company with everything that belongs to it to another cell')
    .argument('<id>', 'the company')
    .requiredOption('--to <cell>', 'the cell to move it to')
    .option(
      '--settle <seconds>',
      'how long to wait for proxies and requests before it is removed from its old cell',
      parseSeconds,
      SETTLE_SECONDS,
    )
    .addHelpText('after', MOVE_HELP)
    .action((companyId: string, { to, settle }: { to: string; settle: number }) =>
      withCells((cells) => moveCompany({ companyId, cells, to, settleSeconds: settle, report: print })),
    )
}

/** Longer than a request may take. */
const SETTLE_SECONDS = 40

function parseSeconds(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('It must be an integer from 0 to 9999.')
  return Number(text)
}

function readCompany(options: CompanyOptions): CompanyOptions {
  const { country, currency, timeZone } = options
  if (!Country.safeParse(country).success)
    throw new Error(`${JSON.stringify(country)} is not an ISO 3166-1 country code`)
  if (!CurrencyCode.safeParse(currency).success)
    throw new Error(`${JSON.stringify(currency)} is not an ISO 4217 currency code`)
  if (!TimeZone.safeParse(timeZone).success)
    throw new Error(`${JSON.stringify(timeZone)} is not an IANA time zone`)
  return {
    ...options,
    name: readOption('--name', CompanyName, options.name),
    adminEmail: readOption('--admin-email', EmailAddress, options.adminEmail),
    adminName: readOption('--admin-name', PersonName, options.adminName),
  }
}

async function addCompany(
  connection: Connection,
  { name, country, currency, timeZone, plan, adminEmail, adminName }: CompanyOptions,
  password: GivenPassword,
): Promise<void> {
  const [companyId, userId] = [newId('co'), newId('user')]
  const passwordHash = await hashPassword(password.text)
  await runCommandAction(connection, companyId, createCompany, {
    company: { name, country, currency, timeZone, plan, locale: null },
    user: { id: userId, email: adminEmail, name: adminName, passwordHash },
    setup: null,
  })
  printRow(['company', companyId])
  printRow(['user', userId])
  if (password.isGenerated) printRow(['password', password.text])
}
