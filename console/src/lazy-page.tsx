/**
 * Pages whose code is loaded when they are first shown. One that is already loaded renders at once. With `lazy` of React it would
 * show its fallback first, which then stays for 300 ms.
 */
import { use } from 'react'
import type { ComponentType } from 'react'

export type LazyPage<Props> = ComponentType<Props> & { load: () => Promise<void> }

export function lazyPage<Props extends object>(
  importPage: () => Promise<{ default: ComponentType<Props> }>,
): LazyPage<Props> {
  let Loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const importOnce = async () => {
    Loaded = (await importPage()).default
  }
  const load = () => (loading ??= importOnce())
  function Page(props: Props) {
    if (Loaded === undefined) use(load())
    return Loaded === undefined ? null : <Loaded {...props} />
  }
  return Object.assign(Page, { load })
}
