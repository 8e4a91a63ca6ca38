'use client'

/** Endings of files by language, where they differ from its name. */
const endings: Readonly<Record<string, string>> = {
  bash: 'sh',
  csharp: 'cs',
  'c#': 'cs',
  'c++': 'cpp',
  javascript: 'js',
  kotlin: 'kt',
  markdown: 'md',
  perl: 'pl',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  shell: 'sh',
  typescript: 'ts',
  yaml: 'yml',
}

/** The name under which code in a language is saved. Text, if the language's name could not end a file's. */
export function fileNameOf(language: string): string {
  const name = language.toLowerCase()
  if (name === 'dockerfile' || name === 'makefile') return name
  const ending = Object.hasOwn(endings, name) ? endings[name] : name
  return `code.${/^[a-z\d]{1,10}$/.test(ending ?? '') ? ending : 'txt'}`
}

/** Hands a text to the browser as a file to save. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken what it needs once the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url))
}
