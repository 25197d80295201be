/** Tells the company that a form was submitted. */
import type { CheckedAnswers } from '../core/forms/answers.ts'
import { oneLine } from '../core/mail/header-text.ts'
import { formReceived } from '../core/mail/messages.ts'
import type { ActionTransaction } from './action.ts'
import { mailCompany, quotePath } from './quote-mails.ts'

/** Longer answers are complete in the application. */
const MAILED_ANSWER_MAX = 500

interface MailedAnswers {
  form: string
  shown: CheckedAnswers['shown']
  answers: CheckedAnswers['answers']
  customer: string
  replyTo: string | null
  quoteId: string | null
  leadId: string | null
}

export async function mailAnswers(
  transaction: ActionTransaction,
  { form, shown, answers, customer, replyTo, quoteId, leadId }: MailedAnswers,
): Promise<void> {
  const given = shown.flatMap(({ id, title }) => {
    const answer = answers.get(id)
    return answer === undefined ? [] : [[title, oneLine(answer, MAILED_ANSWER_MAX)] as const]
  })
  await mailCompany(transaction, {
    kind: 'form_received',
    quoteId,
    replyTo,
    content: (urlOf) => {
      const contact = leadId === null ? '/contacts' : `/contacts/${encodeURIComponent(leadId)}`
      const button =
        quoteId === null
          ? { label: 'Open contact', url: urlOf(contact) }
          : { label: 'Open quote', url: urlOf(quotePath(quoteId)) }
      return formReceived({ form, customer, answers: given, button })
    },
  })
}
