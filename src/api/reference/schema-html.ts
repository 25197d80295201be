/** Types in words, with links, and the members of each object. */
import { escapeHtml } from '../../pages/page-html.ts'
import type { OpenApiDocument, OpenApiSchema } from '../openapi-document.ts'
import { inlineHtml } from './html.ts'

const nameOf = (ref: string) => ref.split('/').at(-1) ?? ''

/** Such as `array of <a>Quote</a>`, `string or null`. */
export function typeHtml(schema: OpenApiSchema): string {
  const { $ref, type, format, items, anyOf, additionalProperties } = schema
  if ($ref !== undefined) {
    const name = escapeHtml(nameOf($ref))
    return `<a href="#object-${name}">${name}</a>`
  }
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeHtml))].join(' or ')
  if (items !== undefined) return `array of ${typeHtml(items)}`
  if (additionalProperties !== undefined) return `map to ${typeHtml(additionalProperties)}`
  const types = [type ?? 'object'].flat()
  return types.map((one) => (one === 'string' && format !== undefined ? format : one)).join(' or ')
}

/** The values, range and default of a type, where it has them. */
export function limitsHtml(schema: OpenApiSchema): string {
  const values =
    schema.enum ?? schema.items?.enum ?? schema.anyOf?.find((one) => one.enum !== undefined)?.enum
  const parts: string[] = []
  if (values !== undefined) {
    const list = values
      .filter((value) => value !== null)
      .map((value) => `<code>${escapeHtml(String(value))}</code>`)
    parts.push(list.length > MANY ? foldedHtml(`${list.length} values`, list) : `One of ${list.join(', ')}.`)
  }
  if (schema.minimum !== undefined) parts.push(`From ${schema.minimum} to ${schema.maximum}.`)
  if (schema.default !== undefined) parts.push(`Default ${escapeHtml(String(schema.default))}.`)
  return parts.join(' ')
}

const MANY = 8

function foldedHtml(summary: string, list: string[]): string {
  return `<details class="values"><summary>${summary}</summary><p>${list.join(', ')}</p></details>`
}

export function objectsHtml({ components: { schemas } }: OpenApiDocument): string {
  return Object.entries(schemas)
    .map(
      ([name, schema]) => `<details class="object" id="object-${escapeHtml(name)}">
<summary><span class="object-name">${escapeHtml(name)}</span></summary>
${schema.description === undefined ? '' : `<p>${inlineHtml(schema.description)}</p>`}
${(schema.allOf ?? [schema]).map(membersHtml).join('\n')}
</details>`,
    )
    .join('\n')
}

function membersHtml(schema: OpenApiSchema): string {
  const { properties, required = [], additionalProperties } = schema
  if (properties === undefined) {
    return additionalProperties === undefined
      ? ''
      : `<p>Every other member: ${typeHtml(additionalProperties)}.</p>`
  }
  const members = Object.entries(properties).map(([name, member]) => {
    const optional = required.includes(name) ? '' : ' <span class="note">optional</span>'
    const description = member.description === undefined ? '' : inlineHtml(member.description)
    const texts = [description, limitsHtml(member)].filter((text) => text !== '').join(' ')
    const nested = innerMembers(member)
    return `<dt><code>${escapeHtml(name)}</code> <span class="type">${typeHtml(member)}</span>${optional}</dt>
<dd>${texts}${nested}</dd>`
  })
  return `<dl class="members">\n${members.join('\n')}\n</dl>`
}

/** Unnamed objects are shown inline. */
function innerMembers({ properties, items }: OpenApiSchema): string {
  const inner = properties === undefined ? items : { properties }
  return inner?.properties === undefined ? '' : membersHtml(inner)
}
