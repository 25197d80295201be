/** The wording of each kind of message. Amounts and dates come formatted in the company's locale. */
import type { MailContent } from './content.ts'

interface QuoteFacts {
  /** The name of the company. */
  company: string
  customer: string | null
  /** The number of the quote, or its id. */
  quote: string
  total: string
  /** The last day; null if it does not expire. */
  validUntil: string | null
  /** Of the customer page. */
  url: string
}

const hello = (name: string | null) => (name === null ? 'Hello,' : `Hello ${name},`)

/** Unless the sender wrote a message, which begins as the sender likes. */
const greeting = (customer: string | null) => [
  { type: 'text', text: hello(customer) } as const,
  {
    type: 'text',
    text: 'Your quote is ready. You can view it, choose options and accept it online.',
  } as const,
]

export interface PersonalText {
  /** Null: the usual one. */
  subject: string | null
  /** Text of the sender; null for the usual greeting. */
  message: string | null
}

export function quoteSent(
  { company, customer, quote, total, validUntil, url }: QuoteFacts,
  { subject, message }: PersonalText,
): MailContent {
  return {
    subject: subject ?? `Your quote ${quote} from ${company}`,
    heading: `Your quote from ${company}`,
    blocks: [
      ...(message === null ? greeting(customer) : [{ type: 'letter', text: message } as const]),
      { type: 'facts', facts: quoteFacts(quote, total, validUntil) },
      { type: 'button', label: 'View quote', url },
      { type: 'text', text: 'Questions? Reply to this message, or ask on the page of the quote.' },
    ],
  }
}

export function quoteReminder({ company, customer, quote, total, validUntil, url }: QuoteFacts): MailContent {
  return {
    subject: `Your quote ${quote} from ${company} expires soon`,
    heading: 'Your quote expires soon',
    blocks: [
      { type: 'text', text: hello(customer) },
      {
        type: 'text',
        text: `Your quote from ${company} is still open. After its last day it can no longer be accepted.`,
      },
      { type: 'facts', facts: quoteFacts(quote, total, validUntil) },
      { type: 'button', label: 'View quote', url },
      { type: 'text', text: 'Questions? Reply to this message, or ask on the page of the quote.' },
    ],
  }
}

const quoteFacts = (quote: string, total: string, validUntil: string | null) => [
  ['Quote', quote] as const,
  ['Total', total] as const,
  ...(validUntil === null ? [] : [['Valid until', validUntil] as const]),
]

/** For the company: the customer did something with a quote. `url` is the page of the quote in the application. */
interface CustomerFacts {
  customer: string
  quote: string
  url: string
}

const openQuote = (url: string) => ({ type: 'button', label: 'Open quote', url }) as const

export function quoteAccepted(facts: CustomerFacts & { signature: string; total: string }): MailContent {
  const { customer, quote, url, signature, total } = facts
  return {
    subject: `Accepted: quote ${quote} of ${customer}`,
    heading: `${customer} accepted quote ${quote}`,
    blocks: [
      {
        type: 'facts',
        facts: [
          ['Customer', customer],
          ['Quote', quote],
          ['Total', total],
          ['Signed by', signature],
        ],
      },
      { type: 'text', text: 'The event is booked.' },
      openQuote(url),
    ],
  }
}

export function quoteDeclined(facts: CustomerFacts & { reason: string | null }): MailContent {
  const { customer, quote, url, reason } = facts
  return {
    subject: `Declined: quote ${quote} of ${customer}`,
    heading: `${customer} declined quote ${quote}`,
    blocks: [
      reason === null
        ? { type: 'text', text: 'The customer gave no reason.' }
        : { type: 'quotation', text: reason },
      openQuote(url),
    ],
  }
}

export function quoteQuestion(facts: CustomerFacts & { question: string }): MailContent {
  const { customer, quote, url, question } = facts
  return {
    subject: `Question about quote ${quote} from ${customer}`,
    heading: `${customer} has a question about quote ${quote}`,
    blocks: [
      { type: 'quotation', text: question },
      { type: 'text', text: 'Reply to this message to answer the customer.' },
      openQuote(url),
    ],
  }
}

export function formReceived(facts: {
  form: string
  customer: string
  answers: readonly (readonly [question: string, answer: string])[]
  /** The page that shows the answers. */
  button: { label: string; url: string }
}): MailContent {
  const { form, customer, answers, button } = facts
  return {
    subject: `${form}: answers of ${customer}`,
    heading: `${customer} submitted “${form}”`,
    blocks: [
      { type: 'facts', facts: answers },
      { type: 'button', ...button },
    ],
  }
}

export function invitation(facts: {
  company: string
  invitedBy: string | null
  url: string
  validUntil: string
}): MailContent {
  const { company, invitedBy, url, validUntil } = facts
  return {
    subject: `Invitation to ${company}`,
    heading: `Join ${company}`,
    blocks: [
      {
        type: 'text',
        text: `${invitedBy ?? 'An administrator'} invited you to work with ${company} in the Event Quoting Service.`,
      },
      { type: 'button', label: 'Accept invitation', url },
      { type: 'text', text: `The link works once, until ${validUntil}.` },
      { type: 'text', text: 'If you did not expect this invitation, ignore this message.' },
    ],
  }
}

export function passwordReset(facts: {
  company: string
  name: string
  url: string
  validUntil: string
}): MailContent {
  const { company, name, url, validUntil } = facts
  return {
    subject: `Set a new password for ${company}`,
    heading: 'Set a new password',
    blocks: [
      { type: 'text', text: hello(name) },
      { type: 'text', text: `Use this link to set a new password for your user at ${company}.` },
      { type: 'button', label: 'Set new password', url },
      { type: 'text', text: `The link works once, until ${validUntil}.` },
      {
        type: 'text',
        text: 'If you did not ask for it, ignore this message. Your password stays as it is.',
      },
    ],
  }
}

export function testMessage({ company }: { company: string }): MailContent {
  return {
    subject: `Test message from ${company}`,
    heading: 'Mail works',
    blocks: [{ type: 'text', text: `This is a test. Messages of ${company} reach this address.` }],
  }
}
