'use client'
import type { LanguageRegistration } from 'shiki/core'

/** What C++ has beyond C, where it stands in the text. */
const patterns: LanguageRegistration['patterns'] = [
  {
    name: 'string.quoted.double.raw.cpp',
    begin: '\\b(?:u8?|U|L)?R"([^\\s()\\\\]{0,16})\\(',
    end: '\\)\\1"',
  },
  {
    match: '\\b(class|struct|enum|union|namespace|concept)\\s+(?:class\\s+)?([A-Za-z_]\\w*)',
    captures: { 1: { name: 'keyword.other.cpp' }, 2: { name: 'entity.name.type.cpp' } },
  },
  {
    name: 'keyword.other.cpp',
    match:
      '\\b(?:alignas|auto|catch|class|co_await|co_return|co_yield|concept|consteval|constexpr|constinit|decltype|delete|explicit|export|final|friend|import|module|mutable|namespace|new|noexcept|operator|override|private|protected|public|requires|static_assert|template|this|throw|try|typeid|typename|using|virtual|(?:const|dynamic|reinterpret|static)_cast)\\b',
  },
  { name: 'constant.language.cpp', match: '\\b(?:nullptr|true|false)\\b' },
  { name: 'storage.type.cpp', match: '\\b(?:bool|char8_t|char16_t|char32_t|wchar_t)\\b' },
  { name: 'entity.name.type.cpp', match: '\\b[A-Za-z_]\\w*(?=::)' },
]

/**
 * C++ as C with its own words. Shiki's grammar of C++ is the largest of all; its first line alone, which nothing can
 * cut in pieces, holds a page up for more than 100 ms.
 */
export async function loadCpp(): Promise<{ default: LanguageRegistration[] }> {
  const { default: grammars } = await import('shiki/langs/c.mjs')
  return {
    default: grammars.map((c) => ({
      ...c,
      name: 'cpp',
      scopeName: 'source.cpp',
      aliases: [],
      patterns: [...patterns, ...(c.patterns ?? [])],
    })),
  }
}
