/** The display name of a lead. */
export interface LeadNames {
  firstName: string | null
  lastName: string | null
  companyName: string | null
  email: string | null
}

/** First and last name, or the company name, or the email address: the first that is not blank. Otherwise empty. */
export function leadName({ firstName, lastName, companyName, email }: LeadNames): string {
  const person = [firstName, lastName].filter((part) => !isBlank(part)).join(' ')
  return [person, companyName, email].find((part) => !isBlank(part)) ?? ''
}

function isBlank(part: string | null | undefined): boolean {
  return part === null || part === undefined || part.trim() === ''
}
