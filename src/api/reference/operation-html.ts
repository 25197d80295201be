/** One operation: what it does, its parameters as a form that sends it, samples and responses. */
import type { DocumentedRequest, OpenApiParameter } from '../openapi-document.ts'
import { escapeHtml } from '../../pages/page-html.ts'
import { codeBlock, inlineHtml, textHtml } from './html.ts'
import type { Sample } from './samples.ts'
import { limitsHtml, typeHtml } from './schema-html.ts'

export function operationHtml(
  { method, path, operation }: DocumentedRequest,
  samples: readonly Sample[],
): string {
  const { operationId: id, summary, description, responses } = operation
  const [status = '', success] = Object.entries(responses)[0] ?? []
  const example = JSON.stringify(success?.content['application/json'].example ?? null, null, 2)
  return `<article class="operation" id="${id}" aria-labelledby="${id}-name">
<h3 id="${id}-name">${escapeHtml(summary)}</h3>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>/api${escapeHtml(path)}</code></p>
<div class="columns">
<div class="explanation">
${textHtml(description)}
${formHtml({ method, path, operation })}
${responsesHtml(operation)}
</div>
<div class="examples">
${samplesHtml(id, summary, samples)}
<h4>Response <span class="note">${status}</span></h4>
${codeBlock(`Example response: ${summary}`, example)}
</div>
</div>
</article>`
}

/** All samples are visible without JavaScript; the script turns their names into tabs. */
function samplesHtml(id: string, summary: string, samples: readonly Sample[]): string {
  const panels = samples.map(
    ({ name, code }) => `<div class="sample" data-language="${name}" id="${id}-${name}">
<p class="sample-name">${name}</p>
${codeBlock(`${name}: ${summary}`, code)}
</div>`,
  )
  return `<h4>Request</h4>\n<div class="samples" data-label="Language of the sample">\n${panels.join('\n')}\n</div>`
}

function formHtml({ method, path, operation }: DocumentedRequest): string {
  const { operationId: id, parameters, requestBody } = operation
  const fields = parameters.map((parameter) => fieldHtml(id, parameter))
  if (requestBody !== undefined) fields.push(bodyHtml(id, requestBody.content['application/json']))
  const hasExample = requestBody !== undefined || parameters.some(({ required }) => required === true)
  return `<form class="try" data-method="${method}" data-path="api${escapeHtml(path)}" novalidate>
<h4>${requestBody === undefined ? 'Parameters' : 'Headers and body'}</h4>
${fields.length === 0 ? '<p>None.</p>' : fields.join('\n')}
<p class="buttons"><button type="submit">Send request</button>
${hasExample ? '<button type="button" class="plain" data-fill>Use example values</button>' : ''}</p>
<div class="result" aria-live="polite" hidden></div>
</form>`
}

function fieldHtml(operationId: string, parameter: OpenApiParameter): string {
  const { name, in: place, required, description, schema } = parameter
  const id = `${operationId}-${name.replaceAll(/\W+/g, '-')}`
  const need = required === true ? '<span class="note required">required</span>' : ''
  return `<div class="field">
<div class="about"><label for="${id}"><code>${escapeHtml(name)}</code></label> <span class="type">${typeHtml(schema)}</span> ${need}
<div class="hint" id="${id}-hint">${inlineHtml(description)} ${limitsHtml(schema)}</div></div>
${controlHtml(`id="${id}" name="${escapeHtml(name)}" data-in="${place}" aria-describedby="${id}-hint"`, parameter)}
</div>`
}

/** Empty: a filter that is filled in changes the response. */
function controlHtml(attributes: string, { schema, required, example }: OpenApiParameter): string {
  if (schema.enum !== undefined) {
    const options = ['', ...schema.enum].map((value) => `<option>${escapeHtml(String(value))}</option>`)
    return `<select ${attributes}>${options.join('')}</select>`
  }
  const inputMode = schema.type === 'integer' ? ' inputmode="numeric"' : ''
  const shown = example === undefined ? '' : escapeHtml([example].flat().join(','))
  const sample = required === true ? ` data-example="${shown}" required` : ''
  // Long examples fit only without the prefix.
  const placeholder = shown === '' || shown.length > 25 ? shown : `e.g. ${shown}`
  return `<input ${attributes}${inputMode}${sample} placeholder="${placeholder}" autocomplete="off" autocapitalize="off" spellcheck="false">`
}

function bodyHtml(operationId: string, { schema, example }: { schema: object; example: object }): string {
  const id = `${operationId}-body`
  const json = escapeHtml(JSON.stringify(example ?? {}, null, 2))
  return `<div class="field wide">
<div class="about"><label for="${id}">Body</label> <span class="type">${typeHtml(schema)}</span> <span class="note required">required</span></div>
<textarea id="${id}" data-in="body" rows="6" spellcheck="false" data-example="${json}" placeholder="${json}" required></textarea>
</div>`
}

function responsesHtml({ responses }: DocumentedRequest['operation']): string {
  const rows = Object.entries(responses).map(
    ([status, { description, content }]) =>
      `<dt><span class="status">${status}</span> <span class="type">${typeHtml(content['application/json'].schema)}</span></dt><dd>${inlineHtml(description)}</dd>`,
  )
  return `<h4>Responses</h4>\n<dl class="members">\n${rows.join('\n')}\n</dl>`
}
