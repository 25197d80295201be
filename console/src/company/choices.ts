/** Countries, currencies, time zones and locales to choose from, with names in the user's language. */
import { COUNTRY_CODES } from '../../../src/core/countries.ts'
import { isCurrencyCode } from '../../../src/core/pricing/currencies.ts'
import { locales } from '../format.ts'

interface Choice {
  value: string
  label: string
}

const named = (type: Intl.DisplayNamesType) => new Intl.DisplayNames([...locales], { type })

const byLabel = (a: Choice, b: Choice) => a.label.localeCompare(b.label)

/** Built once, when they are first needed. */
function once<Value>(build: () => Value): () => Value {
  let built: Value | undefined
  return () => (built ??= build())
}

export const countries = once(() => {
  const names = named('region')
  return COUNTRY_CODES.map((value) => ({ value, label: names.of(value) ?? value })).toSorted(byLabel)
})

export const currencies = once(() => {
  const names = named('currency')
  return Intl.supportedValuesOf('currency')
    .filter(isCurrencyCode)
    .map((value) => ({ value, label: `${value} · ${names.of(value) ?? value}` }))
})

export const timeZones = once(() =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  })),
)

const LOCALES =
  `ar-AE ar-EG bg-BG ca-ES cs-CZ da-DK de-AT de-CH de-DE el-GR en-AU en-CA en-GB en-IE en-IN en-NZ en-SG en-US en-ZA
  es-AR es-CL es-CO es-ES es-MX et-EE fi-FI fil-PH fr-BE fr-CA fr-CH fr-FR he-IL hi-IN hr-HR hu-HU id-ID is-IS it-CH it-IT ja-JP
  ko-KR lt-LT lv-LV ms-MY nb-NO nl-BE nl-NL pl-PL pt-BR pt-PT ro-RO sk-SK sl-SI sr-RS sv-SE th-TH tr-TR uk-UA vi-VN zh-CN zh-HK
  zh-TW`.split(/\s+/)

export const localeChoices = once(() => {
  const names = named('language')
  return LOCALES.map((value) => ({ value, label: names.of(value) ?? value })).toSorted(byLabel)
})

/** The list with the stored value, which can come from an import. */
export function withValue(choices: readonly Choice[], value: string | null): Choice[] {
  const isKnown = value === null || choices.some((choice) => choice.value === value)
  return isKnown ? [...choices] : [...choices, { value, label: value }]
}
