/** Abbreviations whose full stop ends no sentence, lower case, without that stop. */
interface Abbreviations {
  /** Whatever follows. */
  readonly always: ReadonlySet<string>
  /** Only before a number: "No. 5", and "He said no. 5 came." is read the same way. */
  readonly beforeNumber: ReadonlySet<string>
}

const words = (text: string): readonly string[] => text.split(' ')

/** Used beside each language's own: titles and Latin that many languages share. */
const SHARED = 'dr prof mr mrs ms st jr sr vs ca cf al'

// "etc.", "usw." and their like are absent: before a capital letter they do end a sentence, and before a small one the
// segmenter joins by itself.
const ALWAYS: Readonly<Record<string, string>> = {
  en: 'messrs mmes rev hon gen col sgt capt lt cmdr gov sen rep pres mt ft approx dept est incl esp viz resp eg ie',
  de: 'hr fr frau dipl ing med phil rer nat bzw vgl ggf evtl inkl exkl zzgl abzgl sog bspw allg geb gest gegr jhdt hl str mio mrd mind max min ggü lt zb dh ua',
  fr: 'm mm mme mmes mlle mlles me mgr pr env ste av apr boul éd cie',
  es: 'sr sra sres srta dra ud uds d dña lic ing avda pág núm art',
  it: 'sig sigg sigra dott dssa avv ing arch geom on egr spett',
  pt: 'sr sra dra exmo exma eng av profa',
  nl: 'dhr mevr mw ir drs bijv evt incl excl nl',
  pl: 'mgr inż hab św ul np tzw tzn ok tys',
  sv: 'hr fr bl dvs kl nr',
}

const BEFORE_NUMBER: Readonly<Record<string, string>> = {
  en: 'no nos fig figs eq eqs sec ch p pp vol art para jan feb mar apr jun jul aug sep sept oct nov dec',
  de: 'nr nrn abb abs art bd kap s seite tab ziff §',
  fr: 'fig art p vol chap no n',
  es: 'fig cap p pp vol nro n',
  it: 'fig art cap p pp vol n',
  pt: 'fig art cap p pp vol n',
  nl: 'nr fig art blz hfst',
  pl: 'nr rys art str rozdz',
  sv: 'fig kap s sid',
}

/** The abbreviations of a language; those shared by many where it has no table. */
export function abbreviationsOf(language: string): Abbreviations {
  return {
    always: new Set([...words(SHARED), ...words(ALWAYS[language] ?? '')]),
    beforeNumber: new Set(words(BEFORE_NUMBER[language] ?? 'no nr fig p')),
  }
}

const ORDINAL_LANGUAGES: ReadonlySet<string> = new Set(
  words('de da nb nn no fi is et lv pl cs sk sl hr sr bs hu eu fo lb'),
)

/** Whether a number with a full stop is an ordinal in this language: "am 3. Mai". */
export function writesOrdinalsWithStop(language: string): boolean {
  return ORDINAL_LANGUAGES.has(language)
}
