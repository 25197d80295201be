/** Searches every version of every file and every commit message for secrets. */
import { execFileSync } from 'node:child_process'
import { lintSource } from '@secretlint/core'
import type { SecretLintCoreConfig, SecretLintRuleCreator } from '@secretlint/types'
import { creator as knownForms } from '@secretlint/secretlint-rule-preset-recommend'

/** Users and passwords in example URLs of tests and documentation. */
const EXAMPLES = /:\/\/(u|user|quoting|nobody):(hidden|hunter2#?|s3cret|none|password|p|p,w|p%40|p%23%2F)@/i

const MESSAGES = { API_KEY: { en: () => 'found an API key of this service' } }

const OUR_KEYS: SecretLintRuleCreator = {
  messages: MESSAGES,
  meta: {
    id: 'event-quoting-service-api-key',
    recommended: true,
    type: 'scanner',
    supportedContentTypes: ['text'],
  },
  create: (context) => {
    const translate = context.createTranslator(MESSAGES)
    return {
      file: ({ content }) => {
        // The form of src/core/security/api-key.ts. Demo keys are public and have another form.
        for (const { 0: key, index } of content.matchAll(/eqs_[0-9A-Za-z]{40}/g))
          context.report({ message: translate('API_KEY'), range: [index, index + key.length] })
      },
    }
  },
}

const CONFIG: SecretLintCoreConfig = {
  rules: [
    { id: '@secretlint/secretlint-rule-preset-recommend', rule: knownForms, rules: [] },
    { id: OUR_KEYS.meta.id, rule: OUR_KEYS },
  ],
}

/** One line for each secret, without the secret. */
export async function findSecrets(content: string, path: string): Promise<string[]> {
  const { messages } = await lintSource({
    source: { content, filePath: path, ext: /\.\w+$/.exec(path)?.[0] ?? '', contentType: 'text' },
    options: { config: CONFIG, noPhysicFilePath: true, maskSecrets: true },
  })
  return messages
    .filter(({ range }) => !EXAMPLES.test(content.slice(...range)))
    .map(({ ruleId, loc }) => `${path}:${loc.start.line}: ${ruleId}`)
}

interface HistoryCheck {
  /** File versions and commit messages. */
  count: number
  findings: string[]
}

/** Includes all branches and tags: a committed secret is public even if a later commit removes it. */
export async function checkHistory(folder: string): Promise<HistoryCheck> {
  // In CI, another user can own the checkout. This is safe, because these commands run no code from it.
  const trust = ['-c', `safe.directory=${folder}`]
  const git = (args: string[], input = '') =>
    execFileSync('git', [...trust, ...args], {
      cwd: folder,
      input,
      maxBuffer: 2 ** 30,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
  if (!isRepository(git)) {
    console.warn('No Git history found, as in the sources of a release. Its check for secrets is skipped.')
    return { count: 0, findings: [] }
  }
  if (git(['rev-parse', '--is-shallow-repository']).toString().trim() === 'true')
    console.warn(
      'This is a shallow clone, so only a part of the history is checked. Get the rest with "git fetch --unshallow".',
    )
  const paths = new Map<string, string>()
  for (const line of git(['rev-list', '--objects', '--all']).toString().split('\n')) {
    if (line !== '') paths.set(line.slice(0, 40), line.slice(41))
  }
  const content = git(['cat-file', '--batch'], [...paths.keys(), ''].join('\n'))
  const check: HistoryCheck = { count: 0, findings: [] }
  for (let at = 0; at < content.length;) {
    const end = content.indexOf('\n', at)
    const [id = '', type = '', size = ''] = content.subarray(at, end).toString().split(' ')
    const text = content.subarray(end + 1, end + 1 + Number(size)).toString()
    at = end + 1 + Number(size) + 1
    if (type === 'tree') continue
    const where = type === 'blob' ? `${paths.get(id)} (${id.slice(0, 10)})` : `message of ${id.slice(0, 10)}`
    check.findings.push(...(await findSecrets(text, where)))
    check.count++
  }
  return check
}

function isRepository(git: (args: string[]) => Buffer): boolean {
  try {
    return git(['rev-parse', '--git-dir']).length > 0
  } catch {
    return false
  }
}
