import { expect, it } from 'vitest'
import { foldEmail, isEmailAddress } from './email.ts'

it.each(['a@b', 'Ada.Lindqvist+quotes@harborlight.example', 'jürgen@bücher.example', "o'neil@example.com"])(
  '%j is an email address',
  (text) => expect(isEmailAddress(text)).toBe(true),
)

it.each([
  '',
  'ada',
  '@example.com',
  'ada@',
  'a@b@c',
  'ada @example.com',
  ' ada@example.com',
  'ada@example.com\n',
  'a\tb@example.com',
  'a\0b@example.com',
  'a\u007fb@example.com',
  '\ud800@example.com',
  `${'x'.repeat(250)}@b.co`,
])('%j is not an email address', (text) => expect(isEmailAddress(text)).toBe(false))

it.each([
  ['ADA.Lovelace@Example.COM', 'ada.lovelace@example.com'],
  ['adm\u0130n@example.com', 'adm\u0130n@example.com'],
  ['\u212aate@example.com', '\u212aate@example.com'],
  ['JÜRGEN@BÜCHER.example', 'jÜrgen@bÜcher.example'],
  ['ΣΊΣΥΦΟΣ@example.com', 'ΣΊΣΥΦΟΣ@example.com'],
])('%j is compared as %j', (email, folded) => expect(foldEmail(email)).toBe(folded))
