import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { QUESTION_TYPES } from '../enumerations.ts'
import { NO_CHOICES, checkAnswers, optionsOf, valuesOfAnswer } from './answers.ts'
import { isFormSlug, parseOrigin, proposeSlug } from './form-address.ts'
import { readInquiry, splitName } from './inquiry.ts'
import { shownQuestions } from './question.ts'
import type { Question } from './question.ts'

const questionOf = (id: string, more: Partial<Question> = {}): Question => ({
  id,
  title: id,
  type: 'TEXT',
  subtitle: null,
  isRequired: false,
  options: [],
  showWhen: null,
  linkedField: null,
  ...more,
})

const valuesOf = (values: Record<string, string | string[]>) =>
  new Map(Object.entries(values).map(([id, value]) => [id, [value].flat()]))

const ids = (questions: readonly { id: string }[]) => questions.map(({ id }) => id)

const check = (question: Question, ...entered: string[]) => {
  const { answers, errors } = checkAnswers([question], new Map([[question.id, entered]]), NO_CHOICES)
  return errors.get(question.id) ?? { answer: answers.get(question.id) ?? null }
}

describe('shownQuestions', () => {
  const questions = [
    questionOf('a'),
    questionOf('b', { showWhen: { questionId: 'a', equals: 'Yes' } }),
    questionOf('c', { showWhen: { questionId: 'b', equals: 'Yes' } }),
  ]

  it.each([
    [{}, ['a']],
    [{ a: 'yes ' }, ['a', 'b']],
    [{ a: 'Yes', b: ['No', 'Yes'] }, ['a', 'b', 'c']],
    [{ a: 'No', b: 'Yes' }, ['a']],
  ])('FM3: with %j shows %j', (values, expected) => {
    expect(ids(shownQuestions(questions, valuesOf(values)))).toEqual(expected)
  })

  it('FM3: ignores conditions on later, missing and own answers', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 1, maxLength: 8 }), (targets) => {
        const list = targets.map((target, i) =>
          questionOf(String(i), { showWhen: { questionId: String(target), equals: 'x' } }),
        )
        const shown = ids(shownQuestions(list, new Map()))
        for (const [i, target] of targets.entries()) expect(shown.includes(String(i))).toBe(target >= i)
      }),
    )
  })
})

describe('checkAnswers', () => {
  const required = { isRequired: true }

  it.each([
    ['a missing answer', questionOf('q', required), [], 'Enter an answer.'],
    ['a blank answer', questionOf('q', required), ['  '], 'Enter an answer.'],
    ['an optional blank answer', questionOf('q'), [' \u2003\ufeff'], { answer: null }],
    ['a text', questionOf('q'), [' two\r\nlines '], { answer: 'two\nlines' }],
    ['a long text', questionOf('q'), ['x'.repeat(5_001)], 'Use at most 5,000 characters.'],
    [
      'a long name',
      questionOf('q', { linkedField: 'name' }),
      ['x'.repeat(501)],
      'Use at most 500 characters.',
    ],
    ['an invalid email address', questionOf('q', { linkedField: 'email' }), ['ada'], /email address/],
    ['a day', questionOf('q', { type: 'DATE' }), ['2027-02-28'], { answer: '2027-02-28' }],
    ['an invalid day', questionOf('q', { type: 'DATE' }), ['2027-02-30'], /Enter a date/],
    ['a time', questionOf('q', { type: 'TIME' }), ['23:59'], { answer: '23:59' }],
    ['an invalid time', questionOf('q', { type: 'TIME' }), ['24:00'], /Enter a time/],
    ['a number', questionOf('q', { type: 'NUMBER' }), ['-1.5'], { answer: '-1.5' }],
    ['an invalid number', questionOf('q', { type: 'NUMBER' }), ['1e3'], /Enter a number/],
    ['0 guests', questionOf('q', { type: 'NUMBER', linkedField: 'guestCount' }), ['0'], /at least 1/],
    ['half a guest', questionOf('q', { type: 'NUMBER', linkedField: 'guestCount' }), ['1.5'], /whole/],
    ['staff', questionOf('q', { type: 'STAFFING_CALCULATOR' }), ['4'], { answer: '4' }],
    ['yes', questionOf('q', { type: 'YESNO' }), ['Yes'], { answer: 'Yes' }],
    ['maybe', questionOf('q', { type: 'YESNO' }), ['Maybe'], 'Choose from the options.'],
    [
      'one of two options',
      questionOf('q', { type: 'DROPDOWN', options: ['a', 'b'] }),
      ['b', 'a'],
      { answer: 'b' },
    ],
    [
      'an unknown option',
      questionOf('q', { type: 'MULTICHOICE', options: ['a', 'b'] }),
      ['c'],
      /from the options/,
    ],
    [
      'several options',
      questionOf('q', { type: 'MULTISELECT', options: ['a', 'b', 'c'] }),
      ['c', 'a'],
      { answer: 'a, c' },
    ],
    ['a choice without options', questionOf('q', { type: 'ADDONS' }), ['Ice'], { answer: 'Ice' }],
    [
      'agreed',
      questionOf('q', { type: 'ACKNOWLEDGEMENTS', ...required }),
      ['I agree'],
      { answer: 'I agree' },
    ],
    ['not agreed', questionOf('q', { type: 'ACKNOWLEDGEMENTS', ...required }), [], /Check this box/],
    [
      'agreed to one of two',
      questionOf('q', { type: 'ACKNOWLEDGEMENTS', options: ['a', 'b'], ...required }),
      ['a'],
      /every box/,
    ],
    ['a display text', questionOf('q', { type: 'DISPLAYTEXT', ...required }), ['x'], { answer: null }],
    ['an address', questionOf('q', { type: 'ADDRESS', ...required }), [], 'Enter an address.'],
  ] as const)('FM4: %s', (_, question, entered, expected) => {
    const result = check(question, ...entered)
    const shown = expected instanceof RegExp ? expected.exec(result as string)?.[0] : result
    expect(shown).toEqual(expected instanceof RegExp ? expected.source : expected)
  })

  it('FM4: accepts or rejects any value of any type, and limits the length of answers', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...QUESTION_TYPES),
        fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 3 }),
        fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 3 }),
        (type, entered, options) => {
          const question = questionOf('q', { type, options })
          const { answers, errors } = checkAnswers([question], new Map([['q', entered]]), NO_CHOICES)
          expect(answers.has('q') && errors.has('q')).toBe(false)
          expect(answers.get('q')).not.toBe('')
        },
      ),
    )
  })

  it('FM3: neither checks nor stores answers to hidden questions', () => {
    const questions = [
      questionOf('a'),
      questionOf('b', { ...required, showWhen: { questionId: 'a', equals: 'x' } }),
    ]
    const { answers, errors } = checkAnswers(questions, valuesOf({ a: 'y', b: 'kept?' }), NO_CHOICES)
    expect([[...answers], [...errors]]).toEqual([[['a', 'y']], []])
  })

  it('restores the selected values from an answer', () => {
    const options = ['Tent', 'Tent, heated', 'Bar']
    fc.assert(
      fc.property(fc.subarray(['Bar', 'Tent, heated']), (chosen) => {
        const question = questionOf('q', { type: 'MULTISELECT', options })
        const { answers } = checkAnswers([question], new Map([['q', chosen]]), NO_CHOICES)
        expect(new Set(valuesOfAnswer(question, answers.get('q') ?? '', NO_CHOICES))).toEqual(new Set(chosen))
      }),
    )
  })

  it('offers the records of the company if a question has no options', () => {
    const choices = { eventTypes: ['Gala'], locations: ['Quay'], addons: ['Ice'], resources: ['Van'] }
    const offered = [
      questionOf('q', { type: 'DROPDOWN', linkedField: 'eventType' }),
      questionOf('q', { type: 'DROPDOWN', linkedField: 'location' }),
      questionOf('q', { type: 'ADDONS' }),
      questionOf('q', { type: 'RESOURCE' }),
      questionOf('q', { type: 'RESOURCE', options: ['Own'] }),
      questionOf('q', { type: 'TEXT', options: ['Own'] }),
    ].map((question) => optionsOf(question, choices))
    expect(offered).toEqual([['Gala'], ['Quay'], ['Ice'], ['Van'], ['Own'], []])
  })
})

describe('readInquiry', () => {
  const questions = [
    questionOf('name', { linkedField: 'name' }),
    questionOf('email', { linkedField: 'email' }),
    questionOf('location', { type: 'DROPDOWN', linkedField: 'location' }),
    questionOf('date', { type: 'DATE', linkedField: 'eventDate' }),
    questionOf('start', { type: 'TIME', linkedField: 'serviceStartTime' }),
    questionOf('end', { type: 'TIME', linkedField: 'serviceEndTime' }),
    questionOf('guests', { type: 'NUMBER', linkedField: 'guests' }),
  ]
  const context = {
    locations: [
      { id: 'ny', name: 'New York', timeZone: 'America/New_York' },
      { id: 'kyoto', name: 'Kyoto', timeZone: 'Asia/Tokyo' },
    ],
    eventTypes: [{ id: 'gala', name: 'Gala' }],
    now: '2027-03-01T12:00:00.000Z',
  }
  const read = (answers: Record<string, string>) =>
    readInquiry(questions, new Map(Object.entries(answers)), context)

  it.each([
    [{}, null],
    [{ start: '10:00' }, null],
    [{ date: '2027-05-01' }, ['2027-05-01T13:00:00.000Z', '2027-05-01T21:00:00.000Z']],
    [{ date: '2027-05-01', start: '18:00' }, ['2027-05-01T22:00:00.000Z', '2027-05-02T02:00:00.000Z']],
    [{ date: '2027-05-01', end: '08:00' }, ['2027-05-01T04:00:00.000Z', '2027-05-01T12:00:00.000Z']],
    [
      { date: '2027-05-01', start: '18:00', end: '01:00' },
      ['2027-05-01T22:00:00.000Z', '2027-05-02T05:00:00.000Z'],
    ],
    [
      { date: '2027-05-01', start: '18:00', end: '20:00', location: 'Kyoto' },
      ['2027-05-01T09:00:00.000Z', '2027-05-01T11:00:00.000Z'],
    ],
  ])('FM6: %j leads to the day %j', (answers, day) => {
    const { inquiry, errors } = read(answers)
    expect([...errors]).toEqual([])
    expect(inquiry.day && Object.values(inquiry.day)).toEqual(day)
  })

  it.each([
    ['a day in the past', { date: '2027-02-28' }, 'date', /past/],
    ['a time that clocks skip', { date: '2027-03-14', start: '02:30' }, 'start', /clocks change/],
    ['an end that clocks skip', { date: '2027-03-13', start: '22:00', end: '02:15' }, 'end', /clocks change/],
    ['a day without duration', { date: '2027-05-01', start: '18:00', end: '18:00' }, 'end', /differs/],
  ])('FM6: rejects %s', (_, answers, id, message) => {
    const { inquiry, errors } = read(answers)
    expect(inquiry.day).toBeNull()
    expect(errors.get(id)).toMatch(message)
  })

  it('FM6: a day ends after it starts, at any time in any zone', () => {
    const time = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)
    const date = fc.nat(400).map((days) => new Date(Date.UTC(2027, 2, 2 + days)).toISOString().slice(0, 10))
    fc.assert(
      fc.property(date, fc.option(time), fc.option(time), (day, start, end) => {
        const { inquiry } = read({
          date: day,
          ...(start !== null && { start }),
          ...(end !== null && { end }),
        })
        const { serviceStartTime: from = '', serviceEndTime: until = '1' } = inquiry.day ?? {}
        expect(until > from).toBe(true)
      }),
    )
  })

  it('FM6: uses the first location and a placeholder address by default', () => {
    const { inquiry } = read({ name: 'Ada Maria Noor', email: 'ada@example.com', guests: '80' })
    expect(inquiry).toEqual({
      lead: {
        firstName: 'Ada Maria',
        lastName: 'Noor',
        email: 'ada@example.com',
        phone: null,
        companyName: null,
      },
      locationId: 'ny',
      eventTypeId: null,
      eventAddress: 'To be confirmed',
      guestCount: 80,
      day: null,
    })
  })

  it.each([
    ['Cher', ['Cher', null]],
    ['Ada Noor', ['Ada', 'Noor']],
    [null, [null, null]],
  ])('splits the name %j', (name, expected) => {
    expect(Object.values(splitName(name))).toEqual(expected)
  })
})

describe('addresses of forms', () => {
  it('FM2: proposes slugs that are valid', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => isFormSlug(proposeSlug(name))))
    expect(proposeSlug('Ask for a Quöte!')).toBe('ask-for-a-quote')
  })

  it.each(['', 'b', 'a--b', '-a', 'a-', 'A1', 'ä1', 'a/b', 'a.js', 'x'.repeat(81)])(
    'FM2: rejects %j',
    (slug) => {
      expect(isFormSlug(slug)).toBe(false)
    },
  )

  it.each([
    ['https://example.com', 'https://example.com'],
    ['HTTPS://Example.com/', 'https://example.com'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://[::1]:80', 'http://[::1]'],
  ])('FM9: %s is the origin %s', (text, origin) => {
    expect(parseOrigin(text)).toBe(origin)
  })

  it.each([
    '*',
    'https://*.example.com',
    'https://a.example/b',
    'https://u@a.example',
    'ftp://a',
    'https://a;b',
    "'self'",
  ])('FM9: %s is not an origin', (text) => {
    expect(parseOrigin(text)).toBeNull()
  })
})
