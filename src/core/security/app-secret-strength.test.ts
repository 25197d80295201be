import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isWeakSecret } from './app-secret-strength.ts'

describe('strong application secrets', () => {
  it.each([
    ['32 random bytes in base64', () => randomBytes(32).toString('base64')],
    ['32 random bytes in base64url', () => randomBytes(32).toString('base64url')],
    ['32 random bytes in hexadecimal', () => randomBytes(32).toString('hex')],
    ['24 random bytes in base64: exactly 32 characters', () => randomBytes(24).toString('base64')],
    ['a long sentence', () => 'seven gray herons left the pier at dawn'],
  ])('%s', (_, create) => {
    for (let i = 0; i < 200; i++) expect(isWeakSecret(create())).toBe(false)
  })
})

describe('weak application secrets', () => {
  it.each([
    ['an empty text', ''],
    ['31 random characters', 'k9Xv2LqTz7RwYb4NcH8mJs5PdG3fA6u'],
    [
      '31 characters outside the BMP, which are 62 code units',
      '🙂🙃😀😁😂😃😄😅😆😇😈'.repeat(3).slice(0, 62),
    ],
    ['one character', 'a'.repeat(64)],
    ['two characters', 'ab'.repeat(32)],
    ['a repeated word', 'password'.repeat(8)],
    ['a repeated row of the keyboard', 'qwertyuiop'.repeat(5)],
    ['a repeated word with a different end', `${'changeme123'.repeat(4)}!`],
    ['a placeholder', 'change-me-to-a-long-random-string'],
    ['another placeholder', 'your-secret-key-goes-here-1234567890'],
    ['the rows of the keyboard', 'qwertyuiopasdfghjklzxcvbnmqwertyui'],
    ['a common word', 'correct-password-horse-battery-9471-Xq'],
    ['the digits in order', '1234567890'.repeat(4)],
    ['the alphabet', 'abcdefghijklmnopqrstuvwxyz0123456789'],
    ['the alphabet backwards', 'zyxwvutsrqponmlkjihgfedcba9876543210'],
    ['the hexadecimal digits twice', '0123456789abcdef0123456789abcdef'],
    ['one character and a few more', `${'0'.repeat(40)}bcdefghijk`],
  ])('%s', (_, secret) => expect(isWeakSecret(secret)).toBe(true))
})
