/** The questions of a form: add, edit, reorder and remove. */
import { ActionIcon, Button, Group } from '@mantine/core'
import type { DragEvent, KeyboardEvent } from 'react'
import { useState } from 'react'
import { QUESTIONS_MAX } from '../../../src/core/forms/question.ts'
import type { Question } from '../../../src/core/forms/question.ts'
import { randomId } from '../random-id.ts'
import { ChevronIcon, GripIcon, PlusIcon, TrashIcon } from '../ui/icons.tsx'
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
    <li className={`form-question${hasError ? ' is-wrong' : ''}`} {...dropTarget(onDrop)}>
      <div className="form-question-head">
        <Handle question={question} name={name} index={index} onMove={onMove} />
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

/** For the question that another one can be dropped on. */
function dropTarget(onDrop: (id: string) => void) {
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes(DRAGGED)) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      onDrop(event.dataTransfer.getData(DRAGGED))
    },
  }
}

interface HandleProps {
  question: Question
  name: string
  index: number
  onMove: (to: number) => void
}

/** Moves the question: by dragging, or with the arrow keys. */
function Handle({ question, name, index, onMove }: HandleProps) {
  const shift = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    onMove(index + (event.key === 'ArrowUp' ? -1 : 1))
    // Browsers take the focus from elements that move.
    const handle = event.currentTarget as HTMLElement
    requestAnimationFrame(() => handle.focus())
  }
  return (
    <ActionIcon
      size={36}
      className="form-question-handle"
      aria-label={`Reorder ${name}`}
      title="Drag, or press the up and down arrow keys"
      draggable
      onDragStart={(event: DragEvent) => event.dataTransfer.setData(DRAGGED, question.id)}
      onKeyDown={shift}
    >
      <GripIcon />
    </ActionIcon>
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
