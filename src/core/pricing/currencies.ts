/**
 * ISO 4217: the codes, and how many digits of each are minor units. `Intl` is no help here: it returns the digits in
 * everyday use (0 for HUF, IDR, IQD …), not those of the standard.
 */

const CODES_BY_MINOR_DIGITS: Record<number, string> = {
  0: `BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XAG XAU XBA XBB XBC XBD XDR XOF XPD XPF XPT XSU XTS
    XUA XXX`,
  2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF
    CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF
    IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV
    MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP
    STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

const MINOR_DIGITS = new Map<string, number>()
for (const [digits, codes] of Object.entries(CODES_BY_MINOR_DIGITS)) {
  for (const code of codes.split(/\s+/)) MINOR_DIGITS.set(code, Number(digits))
}

export function isCurrencyCode(code: string): boolean {
  return MINOR_DIGITS.has(code)
}

/** 2 for an unknown code, as for nearly all currencies. */
export function minorDigits(code: string): number {
  return MINOR_DIGITS.get(code) ?? 2
}

/** `1234567` in KWD as `1234.567`. A decimal string, since a float cannot represent every amount. */
export function decimalAmount(cents: number | bigint, code: string): string {
  const digits = minorDigits(code)
  const text = String(cents).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
