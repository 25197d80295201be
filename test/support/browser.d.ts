/** Tests of the editor define it. */
declare const navigator: { languages: readonly string[] }
