/**
 * Whether an expression of the source can only give what the source itself says: constants, and texts put together from
 * them. Followed through variables, parameters and calls, over all files; what cannot be followed counts as input.
 */
import { dirname, join } from 'node:path'
import { childrenOf, isNode, placeOf } from './source-trees.ts'
import type { Node, SourceFile } from './source-trees.ts'

/** A call with its arguments, or a list whose elements are given one by one. */
interface Call {
  given: Node
  callback: boolean
}

/** From a value to what is inside: a member's name, `*` for any element, `()` for what a call gives. */
type Path = readonly string[]

/** Methods whose result is made of what they are called on and with. */
const PASSING = new Set(
  `join map flatMap filter trim split replace replaceAll toSorted slice concat reduce keys values entries at find push
  toLowerCase includes indexOf some every startsWith endsWith bind`.split(/\s+/),
)

const NUMERIC = new Set([
  'TSNumberKeyword',
  'TSBooleanKeyword',
  'TSLiteralType',
  'TSNullKeyword',
  'TSUndefinedKeyword',
])

export function createJudge(files: readonly SourceFile[], trustedTypes: ReadonlySet<string>) {
  const parents = new Map<Node, Node>()
  const fileOf = new Map<Node, SourceFile>()
  const byPath = new Map(files.map((file) => [file.path, file]))
  const references = new Map<string, Node[]>()
  /** What a name is called where it is imported under another one. */
  const aliases = new Map<string, string[]>()
  for (const file of files) index(file.program, file)

  function index(node: Node, file: SourceFile): void {
    fileOf.set(node, file)
    if (node.type === 'Identifier')
      references.set(String(node['name']), [...(references.get(String(node['name'])) ?? []), node])
    if (node.type === 'ImportSpecifier') {
      const [imported, local] = [nameOf(node['imported'] as Node), nameOf(node['local'] as Node)]
      if (imported !== local) aliases.set(imported, [...(aliases.get(imported) ?? []), local])
    }
    for (const child of childrenOf(node)) {
      parents.set(child, node)
      index(child, file)
    }
  }

  const under = new Set<string>()
  const results = new Map<string, boolean>()
  let circles = 0
  /** The last expression that could not be followed. */
  let culprit: Node | undefined

  function isInput(node: Node): false {
    culprit = node
    return false
  }

  function isMade(node: Node | null | undefined, path: Path = []): boolean {
    if (node === null || node === undefined) return true
    const key = `${fileOf.get(node)?.path}:${node.start}:${node.end}:${node.type}:${path.join('.')}`
    const known = results.get(key)
    if (known !== undefined) return known
    // Round in a circle nothing new comes in.
    if (under.has(key)) {
      circles++
      return true
    }
    if (path.length > 12) return isInput(node)
    under.add(key)
    const circlesBefore = circles
    const result = judge(node, path)
    under.delete(key)
    // What rests on the assumption about a circle holds only inside it.
    if (!result || circles === circlesBefore || under.size === 0) results.set(key, result)
    return result
  }

  const all = (nodes: unknown, path: Path = []) =>
    (nodes as (Node | null)[]).every((node) => isMade(node, path))
  const part = (node: Node, name: string) => node[name] as Node

  function judge(node: Node, path: Path): boolean {
    const [step, ...rest] = path
    switch (node.type) {
      case 'Literal':
      case 'UnaryExpression':
        return true
      case 'TemplateLiteral':
        return all(node['expressions'])
      case 'BinaryExpression':
        return node['operator'] !== '+' || (isMade(part(node, 'left')) && isMade(part(node, 'right')))
      case 'ConditionalExpression':
        return isMade(part(node, 'consequent'), path) && isMade(part(node, 'alternate'), path)
      case 'LogicalExpression':
        return isMade(part(node, 'left'), path) && isMade(part(node, 'right'), path)
      case 'AssignmentExpression':
        return isMade(part(node, 'right'), path)
      case 'ArrayExpression':
        return (node['elements'] as (Node | null)[]).every((element) =>
          element?.type === 'SpreadElement' ? isMade(part(element, 'argument'), path) : isMade(element, rest),
        )
      case 'ObjectExpression':
        return judgeObject(node, step, rest)
      case 'AwaitExpression':
      case 'SpreadElement':
        return isMade(part(node, 'argument'), path)
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
        return step !== '()' || returnsOf(node).every((given) => isMade(given, rest))
      case 'Identifier':
        return judgeName(node, path)
      case 'MemberExpression':
        return judgeMember(node, path)
      case 'CallExpression':
        return judgeCall(node, path)
      case 'NewExpression':
        return ['Set', 'Map'].includes(String(part(node, 'callee')['name'])) && all(node['arguments'])
      default:
        return isNode(node['expression']) && /^(TS|Chain|Parenthesized)/.test(node.type)
          ? isMade(node['expression'], path)
          : isInput(node)
    }
  }

  function judgeObject(node: Node, step: string | undefined, rest: Path): boolean {
    const properties = node['properties'] as Node[]
    const valueOf = (property: Node) =>
      property.type === 'SpreadElement' ? part(property, 'argument') : part(property, 'value')
    if (step === undefined || step === '*')
      return properties.every((property) => isMade(valueOf(property), rest))
    const named = properties.filter((property) => isNode(property['key']) && nameOf(property['key']) === step)
    if (named.length > 0) return named.every((property) => isMade(valueOf(property), rest))
    return properties
      .filter(({ type }) => type === 'SpreadElement')
      .every((one) => isMade(part(one, 'argument'), [step, ...rest]))
  }

  function judgeMember(node: Node, path: Path): boolean {
    const name = node['computed'] === true ? '*' : nameOf(part(node, 'property'))
    return name === 'length' || isMade(part(node, 'object'), [name, ...path])
  }

  function judgeCall(node: Node, path: Path): boolean {
    const callee = part(node, 'callee')
    if (callee.type === 'Identifier' && callee['name'] === 'Number') return true
    if (callee.type === 'Identifier' && callee['name'] === 'String') return all(node['arguments'])
    if (callee.type === 'MemberExpression') {
      const [object, name] = [part(callee, 'object'), nameOf(part(callee, 'property'))]
      if (object['name'] === 'Object') return all(node['arguments'])
      if (PASSING.has(name)) {
        const callbacks = (node['arguments'] as Node[]).map((given) => isMade(given) && isMade(given, ['()']))
        return isMade(object) && callbacks.every(Boolean)
      }
    }
    return isMade(callee, ['()', ...path])
  }

  function judgeName(node: Node, path: Path): boolean {
    if (/^(undefined|Number|String|Boolean)$/.test(String(node['name']))) return true
    const found = resolve(node)
    return found === null
      ? isInput(node)
      : judgeDeclared(found.declared, found.name, [...found.inside, ...path])
  }

  const resolved = new Map<Node, Resolved | null>()

  interface Resolved {
    declared: Declared
    name: string
    inside: Path
  }

  /** Where a name is declared, in this file or the one that it is imported from. */
  function resolve(node: Node): Resolved | null {
    const known = resolved.get(node)
    if (known !== undefined) return known
    const found = findDeclaration(node)
    resolved.set(node, found)
    return found
  }

  function findDeclaration(node: Node): Resolved | null {
    const name = String(node['name'])
    for (let place = parents.get(node); place !== undefined; place = parents.get(place)) {
      const found = declaredIn(place, name)
      if (found !== null) return found.declared.sort === 'import' ? resolveImport(found) : found
    }
    return null
  }

  function declaredIn(place: Node, name: string): Resolved | null {
    for (const declared of declarationsIn(place)) {
      const inside = patternPath(declared.pattern, name)
      if (inside !== null) return { declared, name, inside }
    }
    return null
  }

  function resolveImport({ declared, name }: Resolved): Resolved | null {
    const source = String(part(declared.from, 'source')['value'])
    const file = byPath.get(join(dirname(fileOf.get(declared.from)?.path ?? ''), source))
    const specifier = (declared.from['specifiers'] as Node[]).find(
      (one) => part(one, 'local') === declared.pattern,
    )
    const exported =
      specifier !== undefined && isNode(specifier['imported']) ? nameOf(specifier['imported']) : name
    return file === undefined ? null : declaredIn(file.program, exported)
  }

  interface Declared {
    pattern: Node
    /** What it gets its value from: an expression, a parameter's function, or an import. */
    from: Node
    sort: 'value' | 'element' | 'parameter' | 'function' | 'import'
    place: number
  }

  function declarationsIn(place: Node): Declared[] {
    const found: Declared[] = []
    const add = (pattern: Node, from: Node, sort: Declared['sort'], i = 0) =>
      found.push({ pattern, from, sort, place: i })
    if (Array.isArray(place['params']))
      for (const [i, one] of (place['params'] as Node[]).entries()) add(one, place, 'parameter', i)
    if (place.type === 'ForOfStatement')
      for (const one of (part(place, 'left')['declarations'] ?? []) as Node[])
        add(part(one, 'id'), part(place, 'right'), 'element')
    const body = Array.isArray(place['body']) ? (place['body'] as Node[]) : []
    for (const outer of body) {
      const statement = isNode(outer['declaration']) ? outer['declaration'] : outer
      if (statement.type === 'VariableDeclaration')
        for (const one of statement['declarations'] as Node[])
          add(part(one, 'id'), part(one, 'init'), 'value')
      if (statement.type === 'FunctionDeclaration') add(part(statement, 'id'), statement, 'function')
      if (statement.type === 'ImportDeclaration')
        for (const one of statement['specifiers'] as Node[]) add(part(one, 'local'), statement, 'import')
    }
    return found
  }

  function judgeDeclared({ pattern, from, sort, place }: Declared, name: string, path: Path): boolean {
    if (sort === 'function') return isMade(from, path)
    if (sort === 'import') return isInput(from)
    if (sort === 'parameter') return judgeParameter(from, pattern, place, path)
    const given = sort === 'element' ? ['*', ...path] : path
    return isMade(from, given) && changesOf(pattern, name).every((value) => isMade(value, path.slice(1)))
  }

  /** A number, a choice of constants or a description of a table; else what every call gives. */
  function judgeParameter(fn: Node, pattern: Node, place: number, path: Path): boolean {
    if (isClosed(annotationOf(pattern), path)) return true
    const calls = callsOf(fn)
    if (calls === null) return isInput(pattern)
    return calls.every((call) =>
      call.callback
        ? isMade(call.given, ['*', ...path])
        : isMade((call.given['arguments'] as Node[])[place], path),
    )
  }

  function isClosed(type: Node | undefined, path: Path): boolean {
    if (type === undefined) return false
    if (path.length === 0 && NUMERIC.has(type.type)) return true
    if (type.type === 'TSUnionType') return (type['types'] as Node[]).every((one) => isClosed(one, path))
    if (type.type === 'TSArrayType')
      return path[0] !== undefined && isClosed(part(type, 'elementType'), path.slice(1))
    if (type.type === 'TSTypeOperator') return isClosed(part(type, 'typeAnnotation'), path)
    if (type.type === 'TSTypeLiteral')
      return isClosed(memberType(type['members'] as Node[], path[0]), path.slice(1))
    if (type.type !== 'TSTypeReference') return false
    const name = nameOf(part(type, 'typeName'))
    return trustedTypes.has(name) || isClosed(memberType(membersOf(name), path[0]), path.slice(1))
  }

  function membersOf(name: string): Node[] {
    for (const { program } of files)
      for (const outer of program['body'] as Node[]) {
        const declared = isNode(outer['declaration']) ? outer['declaration'] : outer
        if (declared.type === 'TSInterfaceDeclaration' && nameOf(part(declared, 'id')) === name)
          return part(declared, 'body')['body'] as Node[]
      }
    return []
  }

  /** Every call of a function, or null when it is used in a way that cannot be followed. */
  function callsOf(fn: Node): Call[] | null {
    const parent = parents.get(fn)
    if (parent?.type === 'CallExpression' && parent['callee'] !== fn) return callsOfArgument(parent, fn)
    const owner =
      fn.type === 'FunctionDeclaration' ? fn : parent?.type === 'VariableDeclarator' ? parent : undefined
    if (owner === undefined || !isNode(owner['id'])) return null
    return callsOfName(nameOf(owner['id']), ({ declared }) => declared.from === fn)
  }

  function callsOfName(name: string, isMeant: (found: Resolved) => boolean): Call[] | null {
    const calls: Call[] = []
    const names = [name, ...(aliases.get(name) ?? [])]
    for (const reference of names.flatMap((one) => references.get(one) ?? [])) {
      const user = parents.get(reference)
      if (user === undefined || !isUse(reference, user)) continue
      const found = resolve(reference)
      if (found === null || !isMeant(found)) continue
      const isCall = user.type === 'CallExpression'
      const more =
        isCall && user['callee'] === reference
          ? [{ given: user, callback: false }]
          : isCall
            ? callsOfArgument(user, reference)
            : null
      if (more === null) return null
      calls.push(...more)
    }
    // One that nobody calls is called by someone whom this does not see.
    return calls.length === 0 ? null : calls
  }

  /** A function given to a method of a list gets its elements; one given to a function of ours is called there. */
  function callsOfArgument(call: Node, argument: Node): Call[] | null {
    const callee = part(call, 'callee')
    if (callee.type === 'MemberExpression' && PASSING.has(nameOf(part(callee, 'property'))))
      return [{ given: part(callee, 'object'), callback: true }]
    const taker = callee.type === 'Identifier' ? resolve(callee)?.declared.from : undefined
    const taken = (taker?.['params'] as Node[] | undefined)?.[(call['arguments'] as Node[]).indexOf(argument)]
    if (taken?.type !== 'Identifier') return null
    return callsOfName(nameOf(taken), ({ declared }) => declared.pattern === taken)
  }

  /** Whether a name stands for a value there, and is not just called so or declared. */
  function isUse(reference: Node, user: Node): boolean {
    if (/^(Import|Export|TS)/.test(user.type) && user.type !== 'TSAsExpression') return false
    if (user.type === 'MemberExpression') return user['object'] === reference || user['computed'] === true
    if (user.type === 'Property') return user['value'] === reference
    if (Array.isArray(user['params']) && (user['params'] as Node[]).includes(reference)) return false
    return (
      user.type !== 'FunctionDeclaration' && !(user.type === 'VariableDeclarator' && user['id'] === reference)
    )
  }

  /** What is assigned to a variable later, or added to the list in it. */
  function changesOf(pattern: Node, name: string): Node[] {
    const file = fileOf.get(pattern)
    return (references.get(name) ?? [])
      .filter(
        (reference) => fileOf.get(reference) === file && resolve(reference)?.declared.pattern === pattern,
      )
      .flatMap((reference) => {
        const user = parents.get(reference)
        if (user?.type === 'AssignmentExpression' && user['left'] === reference) return [part(user, 'right')]
        const call = user === undefined ? undefined : parents.get(user)
        const isPush =
          user?.type === 'MemberExpression' &&
          nameOf(part(user, 'property')) === 'push' &&
          call?.type === 'CallExpression'
        return isPush ? (call['arguments'] as Node[]) : []
      })
  }

  /** Null when it is made of constants, or where it is not. */
  return (text: Node): string | null => {
    // Of a statement that is an object, its text.
    if (isMade(text, ['text'])) return null
    const file = fileOf.get(culprit ?? text)
    return file === undefined
      ? 'somewhere'
      : `${placeOf(file, culprit ?? text)} ${file.text.slice(culprit?.start, culprit?.end)}`
  }
}

function nameOf(node: Node): string {
  return String(node['name'] ?? node['value'])
}

function annotationOf(pattern: Node): Node | undefined {
  const target = pattern.type === 'AssignmentPattern' ? (pattern['left'] as Node) : pattern
  const annotation = target['typeAnnotation']
  return isNode(annotation) ? (annotation['typeAnnotation'] as Node) : undefined
}

function memberType(members: readonly Node[], name: string | undefined): Node | undefined {
  const member = members.find((one) => isNode(one['key']) && nameOf(one['key']) === name)
  return member === undefined ? undefined : annotationOf(member)
}

/** Where in a pattern a name stands: `{ a: [, b] }` has `b` at `a`, `*`. Null when it does not. */
function patternPath(pattern: Node | null, name: string): string[] | null {
  if (pattern === null) return null
  if (pattern.type === 'Identifier') return pattern['name'] === name ? [] : null
  if (pattern.type === 'AssignmentPattern') return patternPath(pattern['left'] as Node, name)
  if (pattern.type === 'RestElement') return patternPath(pattern['argument'] as Node, name)
  const inside = (node: Node | null, step: string) => {
    const path = patternPath(node, name)
    return path === null ? null : [step, ...path]
  }
  if (pattern.type === 'ArrayPattern')
    return (
      (pattern['elements'] as (Node | null)[]).map((one) => inside(one, '*')).find((path) => path !== null) ??
      null
    )
  if (pattern.type !== 'ObjectPattern') return null
  return (
    (pattern['properties'] as Node[])
      .map((one) =>
        one.type === 'RestElement'
          ? patternPath(one, name)
          : inside(one['value'] as Node, nameOf(one['key'] as Node)),
      )
      .find((path) => path !== null) ?? null
  )
}

function returnsOf(fn: Node): Node[] {
  const body = fn['body'] as Node
  if (body.type !== 'BlockStatement') return [body]
  const found: Node[] = []
  const visit = (node: Node) => {
    if (/Function/.test(node.type)) return
    if (node.type === 'ReturnStatement' && isNode(node['argument'])) found.push(node['argument'])
    childrenOf(node).forEach(visit)
  }
  childrenOf(body).forEach(visit)
  return found
}
