/** The questions of a form: add, edit, reorder and remove. */
import { ActionIcon, Button, Group } from '@mantine/core'
import { useState } from 'react'
import { QUESTIONS_MAX } from '../../../src/core/forms/question.ts'
import type { Question } from '../../../src/core/forms/question.ts'
import { randomId } from '../random-id.ts'
import { DragHandle, dropTarget } from '../ui/drag-handle.tsx'
import { ChevronIcon, PlusIcon, TrashIcon } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'
import { QuestionFields, titleId } from './question-fields.tsx'
import type { FormState } from './use-form.ts'
import { TYPE_WORDS } from './words.ts'

const DRAGGED = 'application/x-form-question'

const newQuestion = (): Question => ({
  id: `question_${randomId()}`,
  title: '',
  type: 'TEXT',
  subtitle: null,
  isRequired: false,
  options: [],
  showWhen: null,
  linkedField: null,
})

export function QuestionList({ form }: { form: FormState }) {
  const { questions } = form.draft
  const [openId, setOpenId] = useState<string | null>(null)
  const move = (from: number, to: number) => {
    const moved = questions[from]
    if (moved === undefined || to < 0 || to >= questions.length) return
    const others = questions.filter((_, i) => i !== from)
    form.setQuestions([...others.slice(0, to), moved, ...others.slice(to)])
  }
  const add = () => {
    const question = newQuestion()
    form.setQuestions([...questions, question])
    setOpenId(question.id)
    requestAnimationFrame(() => document.getElementById(titleId(question))?.focus())
  }
  return (
    <Panel title="Questions" p={{ base: 'md', sm: 'lg' }}>
      {questions.length === 0 ? (
        <Note>No questions yet. Add the first one.</Note>
      ) : (
        <ul className="app-list form-questions">
          {questions.map((question, i) => (
            <Row
              key={question.id}
              form={form}
              question={question}
              index={i}
              isOpen={openId === question.id}
              onToggle={() => setOpenId(openId === question.id ? null : question.id)}
              onMove={(to) => move(i, to)}
              onDrop={(id) =>
                move(
                  questions.findIndex((one) => one.id === id),
                  i,
                )
              }
            />
          ))}
        </ul>
      )}
      <Group>
        <Button
          variant="default"
          leftSection={<PlusIcon />}
          onClick={add}
          disabled={questions.length >= QUESTIONS_MAX}
        >
          Add question
        </Button>
      </Group>
    </Panel>
  )
}

interface RowProps {
  form: FormState
  question: Question
  index: number
  isOpen: boolean
  onToggle: () => void
  onMove: (to: number) => void
  onDrop: (id: string) => void
}

function Row({ form, question, index, isOpen, onToggle, onMove, onDrop }: RowProps) {
  const { questions } = form.draft
  const name = question.title.trim() === '' ? `Question ${index + 1}` : question.title
  const errors = Object.fromEntries(
    Object.entries(form.errors).flatMap(([path, message]) => {
      const [, at, field] = /^questions\.(\d+)\.(\w+)/.exec(path) ?? []
      return at === String(index) && field !== undefined ? [[field, message]] : []
    }),
  )
  const hasError = Object.keys(errors).length > 0
  const isShown = isOpen || hasError
  return (
    <li className={`form-question${hasError ? ' is-wrong' : ''}`} {...dropTarget(DRAGGED, onDrop)}>
      <div className="form-question-head">
        <DragHandle
          type={DRAGGED}
          id={question.id}
          name={name}
          className="form-question-handle"
          size={36}
          onShift={(by) => onMove(index + by)}
        />
        <button type="button" className="form-question-name" onClick={onToggle} aria-expanded={isShown}>
          <span>{name}</span>
          <Note span>{describe(question, questions)}</Note>
        </button>
        <span className={`form-question-chevron${isShown ? ' is-open' : ''}`}>
          <ChevronIcon />
        </span>
        <ActionIcon
          size={36}
          aria-label={`Remove ${name}`}
          onClick={() => form.setQuestions(questions.filter(({ id }) => id !== question.id))}
        >
          <TrashIcon />
        </ActionIcon>
      </div>
      {isShown ? (
        <QuestionFields
          question={question}
          questions={questions}
          errors={errors}
          onChange={(part) =>
            form.setQuestions(questions.map((one) => (one.id === question.id ? { ...one, ...part } : one)))
          }
        />
      ) : null}
    </li>
  )
}

function describe({ type, isRequired, showWhen }: Question, questions: readonly Question[]): string {
  const condition = questions.find(({ id }) => id === showWhen?.questionId)
  return [
    TYPE_WORDS[type],
    isRequired && type !== 'DISPLAYTEXT' ? 'required' : null,
    condition === undefined ? null : 'conditional',
  ]
    .filter((part) => part !== null)
    .join(' · ')
}
