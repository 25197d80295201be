/** The fields of one question in the builder. */
import { Checkbox, Select, Stack, TextInput, Textarea } from '@mantine/core'
import { NO_CHOICES, optionsOf } from '../../../src/core/forms/answers.ts'
import { TITLE_MAX } from '../../../src/core/forms/form-content.ts'
import { linkedFieldOf, possibleConditions } from '../../../src/core/forms/question.ts'
import type { Question } from '../../../src/core/forms/question.ts'
import type { QuestionType } from '../../../src/core/enumerations.ts'
import { TYPE_CHOICES, fieldChoices, hasOptions } from './words.ts'

/** The new question gets the focus. */
export const titleId = ({ id }: Pick<Question, 'id'>) => `title-${id}`

interface QuestionFieldsProps {
  question: Question
  questions: readonly Question[]
  errors: Record<string, string>
  onChange: (part: Partial<Question>) => void
}

export function QuestionFields({ question, questions, errors, onChange }: QuestionFieldsProps) {
  const { title, type, subtitle, isRequired, linkedField } = question
  const linked = fieldChoices(type)
  const isText = type === 'DISPLAYTEXT'
  const setType = (next: string | null) => {
    const changed = { ...question, type: next as QuestionType }
    onChange({ type: changed.type, ...(linkedFieldOf(changed) === null && { linkedField: null }) })
  }
  return (
    <Stack gap="sm" className="form-question-fields">
      <TextInput
        label={isText ? 'Heading' : 'Question'}
        value={title}
        onChange={({ currentTarget }) => onChange({ title: currentTarget.value })}
        error={errors['title']}
        maxLength={TITLE_MAX}
        id={titleId(question)}
      />
      <Textarea
        label={isText ? 'Text' : 'Hint (optional)'}
        value={subtitle ?? ''}
        onChange={({ currentTarget }) => onChange({ subtitle: currentTarget.value || null })}
        error={errors['subtitle']}
        maxLength={2_000}
        autosize
        minRows={isText ? 2 : 1}
      />
      <div className="form-question-pair">
        <Select label="Type" data={TYPE_CHOICES} value={type} onChange={setType} allowDeselect={false} />
        {linked.length === 0 ? null : (
          <Select
            label="Fills in"
            placeholder="Nothing"
            data={linked}
            value={linkedFieldOf(question) === null ? null : linkedField}
            onChange={(next) => onChange({ linkedField: next })}
            clearable
          />
        )}
      </div>
      {hasOptions(type) ? (
        <Options question={question} error={errors['options']} onChange={onChange} />
      ) : null}
      {isText ? null : (
        <Checkbox
          label="Required"
          checked={isRequired}
          onChange={({ currentTarget }) => onChange({ isRequired: currentTarget.checked })}
        />
      )}
      <Condition question={question} questions={questions} error={errors['showWhen']} onChange={onChange} />
    </Stack>
  )
}

interface PartProps {
  question: Question
  error: string | undefined
  onChange: (part: Partial<Question>) => void
}

const DEFAULTS: Partial<Record<QuestionType, string>> = {
  ADDONS: 'Leave it empty to offer the add-ons of your catalog.',
  RESOURCE: 'Leave it empty to offer your equipment.',
  ACKNOWLEDGEMENTS: 'Leave it empty for one box, “I agree”.',
}

function Options({ question, error, onChange }: PartProps) {
  const { type, options } = question
  const field = linkedFieldOf(question)
  const hint =
    field === 'eventType'
      ? 'Leave it empty to offer your event types.'
      : field === 'location'
        ? 'Leave it empty to offer your locations.'
        : DEFAULTS[type]
  return (
    <Textarea
      label="Options"
      description={`One per line.${hint === undefined ? '' : ` ${hint}`}`}
      value={options.join('\n')}
      onChange={({ currentTarget }) =>
        onChange({ options: currentTarget.value === '' ? [] : currentTarget.value.split('\n') })
      }
      error={error}
      autosize
      minRows={3}
    />
  )
}

function Condition({ question, questions, error, onChange }: PartProps & { questions: readonly Question[] }) {
  const earlier = possibleConditions(questions, question.id)
  const { showWhen } = question
  const target = earlier.find(({ id }) => id === showWhen?.questionId)
  if (earlier.length === 0) return null
  const answers = target === undefined ? [] : [...new Set(optionsOf(target, NO_CHOICES))]
  return (
    <div className="form-question-pair">
      <Select
        label="Show only if"
        placeholder="Always shown"
        data={earlier.map(({ id, title }, i) => ({ value: id, label: title.trim() || `Question ${i + 1}` }))}
        value={target?.id ?? null}
        onChange={(questionId) =>
          onChange({ showWhen: questionId === null ? null : { questionId, equals: '' } })
        }
        error={error}
        clearable
      />
      {target === undefined || showWhen === null ? null : answers.length === 0 ? (
        <TextInput
          label="is answered with"
          value={showWhen.equals}
          onChange={({ currentTarget }) =>
            onChange({ showWhen: { ...showWhen, equals: currentTarget.value } })
          }
          maxLength={TITLE_MAX}
        />
      ) : (
        <Select
          label="is answered with"
          placeholder="Choose an answer"
          data={answers}
          value={answers.includes(showWhen.equals) ? showWhen.equals : null}
          onChange={(equals) => onChange({ showWhen: { ...showWhen, equals: equals ?? '' } })}
        />
      )}
    </div>
  )
}
