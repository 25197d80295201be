/** Lists the routes of a server. They come from the framework, so that new routes are included. */

/** Parses the tree that the framework prints, in which each line continues the path of its parent. */
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
