/** The state of the builder: the stored form, the draft, and the result of saving. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormAnswer } from '../../../src/console/forms.ts'
import type { FormContent } from '../../../src/core/forms/form-content.ts'
import { possibleConditions } from '../../../src/core/forms/question.ts'
import type { Question } from '../../../src/core/forms/question.ts'
import { CallError, call, queryClient } from '../call.ts'
import { focusFirstError } from '../ui/form.tsx'

const contentOf = ({ name, purpose, slug, allowedOrigins, questions }: FormAnswer): FormContent => ({
  name,
  purpose,
  slug,
  allowedOrigins,
  questions,
})

export function useForm(loaded: FormAnswer) {
  const [stored, setStored] = useState(loaded)
  const [draft, setDraft] = useState(() => contentOf(loaded))
  const path = `forms/${encodeURIComponent(stored.id)}`
  const isDirty = JSON.stringify(draft) !== JSON.stringify(contentOf(stored))
  const goOn = (answer: FormAnswer) => {
    setStored(answer)
    queryClient.setQueryData(['forms', 'form', answer.id], answer)
    void queryClient.invalidateQueries({ queryKey: ['forms', 'list'] })
  }
  const saving = useMutation({
    mutationFn: () => call<FormAnswer>('PUT', path, { version: stored.version, ...withoutBlankLines(draft) }),
    onSuccess: (answer) => {
      goOn(answer)
      setDraft(contentOf(answer))
    },
    onError: focusFirstError,
  })
  const changing = useMutation({
    mutationFn: (change: { isPublished: boolean } | { isArchived: boolean }) =>
      call<FormAnswer>('POST', `${path}/${'isPublished' in change ? 'publish' : 'archive'}`, change),
    onSuccess: goOn,
  })
  const fields = saving.error instanceof CallError ? saving.error.fields : {}
  return {
    stored,
    draft,
    isDirty,
    isSaving: saving.isPending,
    isChanging: changing.isPending,
    changeError: changing.error,
    /** By path, such as `questions.2.title`. */
    errors: fields,
    failure:
      saving.error !== null && !Object.keys(fields).some((name) => name !== 'version') ? saving.error : null,
    set: (part: Partial<FormContent>) => setDraft((before) => ({ ...before, ...part })),
    setQuestions: (questions: readonly Question[]) =>
      setDraft((before) => ({ ...before, questions: withValidConditions(questions) })),
    save: (onSaved: () => void) => {
      if (!saving.isPending && isDirty) saving.mutate(undefined, { onSuccess: onSaved })
    },
    discard: () => {
      saving.reset()
      setDraft(contentOf(stored))
    },
    change: changing.mutate,
  }
}

/** Options and sites are typed one per line. */
function withoutBlankLines(content: FormContent): FormContent {
  return {
    ...content,
    allowedOrigins: filledLines(content.allowedOrigins),
    questions: content.questions.map((question) => ({ ...question, options: filledLines(question.options) })),
  }
}

const filledLines = (lines: readonly string[]) => lines.filter((line) => line.trim() !== '')

export type FormState = ReturnType<typeof useForm>

/** After a move or a removal, conditions on questions that are no longer before them are removed. */
function withValidConditions(questions: readonly Question[]): Question[] {
  return questions.map((question) => {
    const { showWhen } = question
    if (showWhen === null) return question
    const isValid = possibleConditions(questions, question.id).some(({ id }) => id === showWhen.questionId)
    return isValid ? question : { ...question, showWhen: null }
  })
}
