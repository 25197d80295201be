/** How a quote is named: by its number, or its id if it was imported without one. */
export const quoteName = ({ id, number }: { id: string; number: string | null }): string => number ?? id
