/** Packages of the generated companies, each for one trade. */
import { definitionDates } from './catalog-terms.ts'
import type { Trade } from './offer.ts'
import { type ResolvedPlan, namedId } from './plan.ts'
import { type PackageLine, type RecordOf, present } from './records.ts'

interface PackageText {
  slug: string
  trade: Trade
  name: string
  description: string
  /** Slugs of services, then of add-ons. An add-on with `?` is optional and not selected. */
  services: readonly string[]
  addons: readonly string[]
}

const PACKAGE_TEXTS: readonly PackageText[] = [
  {
    slug: 'booth_evening',
    trade: 'BOOTH',
    name: 'Photo booth evening',
    description: 'The open-air booth with a guest book. The backdrop is up to the customer.',
    services: ['open_air_booth'],
    addons: ['guest_book', 'prop_box', 'custom_backdrop?'],
  },
  {
    slug: 'bar_reception',
    trade: 'BAR',
    name: 'Bar reception',
    description: 'Mobile bar with beer and wine, and a menu without alcohol.',
    services: ['mobile_bar', 'open_bar'],
    addons: ['zero_proof_menu', 'glass_upgrade?', 'late_bar?'],
  },
  {
    slug: 'wedding_dinner',
    trade: 'CATERING',
    name: 'Wedding dinner',
    description: 'Canapés, three courses and the cake. The midnight snack is up to the customer.',
    services: ['canape_reception', 'seated_dinner'],
    addons: ['cake_service', 'midnight_snack?'],
  },
]

function lineOf(plan: ResolvedPlan, kind: 'SERVICE' | 'ADDON', text: string): PackageLine {
  const slug = text.replace('?', '')
  const item =
    kind === 'SERVICE'
      ? { kind, serviceId: namedId(plan, 'svc', slug) }
      : { kind, addonId: namedId(plan, 'addon', slug) }
  return slug === text ? item : { ...item, optional: true, selected: false }
}

export function packagesOf(plan: ResolvedPlan): RecordOf<'package'>[] {
  return PACKAGE_TEXTS.filter(({ trade }) => plan.trades.includes(trade)).map((text) =>
    present<RecordOf<'package'>>({
      object: 'package',
      id: namedId(plan, 'pack', text.slug),
      companyId: plan.id,
      name: text.name,
      description: text.description,
      lines: [
        ...text.services.map((slug) => lineOf(plan, 'SERVICE', slug)),
        ...text.addons.map((slug) => lineOf(plan, 'ADDON', slug)),
      ],
      ...definitionDates(false),
    }),
  )
}
