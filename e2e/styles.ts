/** Computed styles of elements on a page. */
import type { Locator } from 'playwright-core'

interface Browser {
  getComputedStyle: (
    element: unknown,
    pseudo?: string,
  ) => {
    getPropertyValue: (property: string) => string
  }
}

/** The computed value of a CSS property, of the element or of a pseudo-element of it. */
export function styleOf(element: Locator, property: string, pseudo?: string): Promise<string> {
  return element.evaluate(
    (node, [name, part]) =>
      (globalThis as unknown as Browser).getComputedStyle(node, part).getPropertyValue(name ?? ''),
    [property, pseudo],
  )
}
