/** Guesses about a new company from the browser: country, currency and time zone. */
import { isCountryCode } from '../../../src/core/countries.ts'

/** Countries by their currency. */
const COUNTRIES: Record<string, string> = {
  USD: 'US PR GU VI AS EC SV',
  EUR: 'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM VA XK YT',
  GBP: 'GB GG IM JE',
  AUD: 'AU KI NR TV',
  CHF: 'CH LI',
  DKK: 'DK FO GL',
  NOK: 'NO SJ',
  NZD: 'NZ CK NU TK',
}
/** Countries that share their currency with no other: the code of the country, then that of the currency. */
const OWN =
  `AEAED ARARS BRBRL CACAD CLCLP CNCNY COCOP CZCZK EGEGP HKHKD HUHUF IDIDR ILILS ININR ISISK JPJPY KRKRW MAMAD MXMXN
  MYMYR NGNGN PEPEN PHPHP PKPKR PLPLN QAQAR RORON RSRSD SASAR SESEK SGSGD THTHB TRTRY TWTWD UAUAH VNVND ZAZAR`.split(
    /\s+/,
  )

const BY_COUNTRY = new Map([
  ...Object.entries(COUNTRIES).flatMap(([currency, codes]) =>
    codes.split(' ').map((code) => [code, currency] as const),
  ),
  ...OWN.map((pair) => [pair.slice(0, 2), pair.slice(2)] as const),
])

/** Null if it is not one of the usual ones. */
export const currencyOf = (country: string): string | null => BY_COUNTRY.get(country) ?? null

/** `de-CH` tells it; `de` only suggests it. */
export function guessCountry(languages: readonly string[]): string | null {
  for (const language of languages) {
    const { region } = new Intl.Locale(language)
    if (region !== undefined && isCountryCode(region)) return region
  }
  const [first] = languages
  const region = first === undefined ? undefined : new Intl.Locale(first).maximize().region
  return region !== undefined && isCountryCode(region) ? region : null
}

export const guessTimeZone = (): string | null => new Intl.DateTimeFormat().resolvedOptions().timeZone
