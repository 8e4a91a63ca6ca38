/** A class for the names that languages have, and for nothing else that may stand there. */
export function languageClass(language: string): string | undefined {
  return /^[\w+#.-]{1,30}$/.test(language) ? `language-${language}` : undefined
}
