/** The invoice as HTML. */
import { companyHeader } from './company-header.ts'
import type { CompanyLook } from './company-header.ts'
import type { InvoiceView } from './invoice-view.ts'
import { escapeHtml, pageOf } from './page-html.ts'

/** This many characters fit in large type on a phone. */
const FIGURE_SHORT = 14

interface Surroundings {
  look: CompanyLook
  style: string
  /** The path of the service. */
  base: string
  /** URL of the same invoice as PDF. */
  pdf: string
}

export function renderInvoice(view: InvoiceView, { look, style, base, pdf }: Surroundings): string {
  const [figureLabel, figure] = view.figure
  const body = `<main class="sheet ${view.status.toLowerCase()}">
<div class="top">
<div>${companyHeader(look, base)}${view.seller.map((line) => `<p class="address">${escapeHtml(line)}</p>`).join('')}</div>
<p class="status">${view.statusText}</p>
</div>
<h1>Invoice <bdi>${escapeHtml(view.number)}</bdi></h1>
${view.note === null ? '' : `<p class="note">${view.note}</p>`}
<section class="summary">
<div class="amount"><p class="label">${figureLabel}</p>
<p class="figure${figure.length > FIGURE_SHORT ? ' long' : ''}">${escapeHtml(figure)}</p>
${view.due === null ? '' : `<p class="due">${escapeHtml(view.due)}</p>`}</div>
<dl>${view.facts.map(([label, value]) => `<div><dt>${label}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>
</section>
${view.description === null ? '' : `<p class="text">${escapeHtml(view.description)}</p>`}
${lineTable(view)}
<table class="totals"><tbody>
${view.totals.map(([label, value]) => `<tr${label === 'Total' ? ' class="total"' : ''}><th scope="row">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`).join('\n')}
<tr class="due"><th scope="row">Amount due</th><td>${escapeHtml(view.amountDue)}</td></tr>
</tbody></table>
${section('How to pay', view.howToPay)}
${section('Notes', view.notes)}
${view.footer === null ? '' : `<p class="footer text">${escapeHtml(view.footer)}</p>`}
<p class="download"><a href="${escapeHtml(pdf)}">Download PDF</a></p>
</main>`
  return pageOf({ locale: view.locale, title: view.title, body, style })
}

function section(title: string, text: string | null): string {
  if (text === null) return ''
  return `<section class="notes"><h2>${title}</h2><p class="text">${escapeHtml(text)}</p></section>`
}

const number = (text: string, name = '') => `<td class="number${name}">${escapeHtml(text)}</td>`

function lineTable({ lines, hasUnitPrices }: InvoiceView): string {
  if (lines.length === 0) return ''
  const rows = lines.map(
    (line) =>
      `<tr><td>${escapeHtml(line.description)}</td>${number(line.quantity, ' quantity')}${
        hasUnitPrices ? number(line.unitPrice, ' unit') : ''
      }${number(line.amount)}</tr>`,
  )
  const heads = ['Quantity', ...(hasUnitPrices ? ['Unit price'] : []), 'Amount']
  return `<table class="lines"><thead><tr><th scope="col">Description</th>${heads.map((head) => `<th scope="col" class="number">${head}</th>`).join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>`
}
