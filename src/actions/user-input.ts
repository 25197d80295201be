/** Names and email addresses of users. */
import { z } from 'zod'
import { hasAtMostCodePoints, isStorableText } from '../core/ids.ts'
import { isEmailAddress } from '../core/security/email.ts'

export const PersonName = z
  .string('Enter a name.')
  .trim()
  .min(1, 'Enter a name.')
  .refine((name) => hasAtMostCodePoints(name, 200), 'Use at most 200 characters.')
  .refine(isStorableText, 'The name contains an invalid character.')

export const EmailAddress = z
  .string('Enter an email address.')
  .trim()
  .refine(isEmailAddress, 'Enter an email address.')
