/** The routes of a server, as the framework knows them: a new one needs no line anywhere else. */

/** The framework prints them as a tree, each with what it adds to the one above it. */
export function routesOf(tree: string): string[] {
  const above: string[] = []
  return tree
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [branch = ''] = /^.*?── /.exec(line) ?? []
      const depth = branch.length / 4
      const [path = '', methods = ''] = line.slice(branch.length).split(' (')
      above.splice(depth - 1, above.length, path)
      return `${above.join('')} (${methods}`
    })
}
