/** JSON with one spelling for each value: members sorted by name, no spaces. Equal values have equal bytes. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
    return `{${members.join(',')}}`
  }
  const isPlain = value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
  if (!isPlain) throw new TypeError(`no JSON for ${typeof value}`)
  return JSON.stringify(value)
}
