/** Tests of the editor provide it. */
declare const navigator: { languages: readonly string[] }
