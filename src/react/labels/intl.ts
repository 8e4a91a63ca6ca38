'use client'

/** Forms of a text by plural category; `other` is the one that every language has. */
export type PluralForms = { readonly other: string } & Partial<
  Readonly<Record<'zero' | 'one' | 'two' | 'few' | 'many', string>>
>

/** Makes a function that picks the plural form for a count and puts the count in place of `#`. */
export function pluralIn(locale: string): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  return (count, forms) =>
    (forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count))
}

/** Short names of the units, with the space that goes before them. */
export interface DurationUnits {
  readonly hour: string
  readonly minute: string
  readonly second: string
}

/** Makes a function that writes milliseconds as hours, minutes and seconds, rounded up: a wait never looks over early. */
export function durationIn(locale: string, units: DurationUnits): (milliseconds: number) => string {
  const numbers = new Intl.NumberFormat(locale)
  return (milliseconds) => {
    const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
    const amounts: readonly [number, string][] = [
      [Math.floor(seconds / 3600), units.hour],
      [Math.floor(seconds / 60) % 60, units.minute],
      [seconds % 60, units.second],
    ]
    const shown = amounts.filter(([amount]) => amount > 0).slice(0, 2)
    if (shown.length === 0) return numbers.format(0) + units.second
    return shown.map(([amount, unit]) => numbers.format(amount) + unit).join(' ')
  }
}
