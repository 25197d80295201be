/** The title of the tab. */
import { useDocumentTitle } from '@mantine/hooks'

export const usePageTitle = (title: string) => useDocumentTitle(`${title} · Event Quoting Service`)
