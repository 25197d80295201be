/** The form as customers see it, with working conditions. Nothing is sent. */
import { Checkbox, NativeSelect, Radio, Stack, Text, TextInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { FormAnswer } from '../../../src/console/forms.ts'
import { isLongText, optionsOf } from '../../../src/core/forms/answers.ts'
import type { FormContent } from '../../../src/core/forms/form-content.ts'
import { hasManyAnswers, shownQuestions } from '../../../src/core/forms/question.ts'
import type { Question } from '../../../src/core/forms/question.ts'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'

export function Preview({ draft, stored }: { draft: FormContent; stored: FormAnswer }) {
  const [values, setValues] = useState<ReadonlyMap<string, readonly string[]>>(new Map())
  const shown = shownQuestions(draft.questions, values)
  return (
    <Panel
      title="Preview"
      note="Try it: conditions work, and nothing is sent."
      className="form-preview"
      p={{ base: 'md', sm: 'lg' }}
    >
      <div className="form-preview-page">
        <Text fw={650} fz="lg" className="app-wrap">
          {draft.name}
        </Text>
        {shown.length === 0 ? <Note>Questions appear here.</Note> : null}
        {shown.map((question) => (
          <Field
            key={question.id}
            question={question}
            options={optionsOf(question, stored.choices)}
            values={values.get(question.id) ?? []}
            onChange={(next) => setValues(new Map(values).set(question.id, next))}
          />
        ))}
      </div>
    </Panel>
  )
}

interface FieldProps {
  question: Question
  options: readonly string[]
  values: readonly string[]
  onChange: (values: string[]) => void
}

function Field({ question, options, values, onChange }: FieldProps) {
  const { title, subtitle, type, isRequired } = question
  const label = `${title.trim() || 'Untitled question'}${isRequired || type === 'DISPLAYTEXT' ? '' : ' (optional)'}`
  const shared = { label, description: subtitle, className: 'app-wrap' }
  const [value = ''] = values
  if (type === 'DISPLAYTEXT')
    return (
      <div className="app-wrap">
        <Text fw={650}>{label}</Text>
        <Note className="form-preview-text">{subtitle}</Note>
      </div>
    )
  if (options.length > 0 && hasManyAnswers(type))
    return (
      <Checkbox.Group {...shared} value={[...values]} onChange={onChange}>
        <Stack gap={6} mt={6}>
          {unique(options).map((option) => (
            <Checkbox key={option} value={option} label={option} />
          ))}
        </Stack>
      </Checkbox.Group>
    )
  if (type === 'DROPDOWN' || type === 'RESOURCE')
    if (options.length > 0)
      return (
        <NativeSelect
          {...shared}
          data={['', ...unique(options)]}
          value={value}
          onChange={({ currentTarget }) => onChange([currentTarget.value])}
        />
      )
  if (options.length > 0)
    return (
      <Radio.Group {...shared} value={value} onChange={(next) => onChange([next])}>
        <Stack gap={6} mt={6}>
          {unique(options).map((option) => (
            <Radio key={option} value={option} label={option} />
          ))}
        </Stack>
      </Radio.Group>
    )
  const set = ({ currentTarget }: { currentTarget: { value: string } }) => onChange([currentTarget.value])
  if (isLongText(question)) return <Textarea {...shared} value={value} onChange={set} minRows={2} autosize />
  const inputType = type === 'DATE' ? 'date' : type === 'TIME' ? 'time' : 'text'
  return <TextInput {...shared} type={inputType} value={value} onChange={set} />
}

/** While options are typed, some can be empty or equal for a moment. */
const unique = (options: readonly string[]) => [...new Set(options.filter((option) => option.trim() !== ''))]
