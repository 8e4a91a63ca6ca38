'use client'
import type { AnnouncerPhrases } from '../../announcer/phrases.ts'
import { pluralIn } from './intl.ts'

const plural = pluralIn('de')

/** What is said to screen readers, in German. */
export const germanPhrases: Omit<AnnouncerPhrases, 'failed'> = {
  responding: 'Der Assistent antwortet.',
  thinking: 'Denkt nach.',
  usingTool: (name) => `Benutzt ${name}.`,
  approvalNeeded: (name) => `${name} braucht Ihre Erlaubnis.`,
  working: 'Noch in Arbeit.',
  complete: 'Antwort vollständig.',
  remaining: ({ sentences, tables, codeBlocks }) =>
    `${[
      sentences > 0 && plural(sentences, { one: '# weiterer Satz', other: '# weitere Sätze' }),
      tables > 0 && plural(tables, { one: '# Tabelle', other: '# Tabellen' }),
      codeBlocks > 0 && plural(codeBlocks, { one: '# Codeblock', other: '# Codeblöcke' }),
    ]
      .filter(Boolean)
      .join(', ')}.`,
  cutOff: 'Antwort an der Längengrenze abgeschnitten. Sie kann fortgesetzt werden.',
  withheld: 'Antwort von einem Filter zurückgehalten.',
  declined: 'Der Assistent hat abgelehnt.',
  stopped: 'Antwort angehalten.',
  paused: 'Antwort unterbrochen. Sie kann fortgesetzt werden.',
  unconfirmed: 'Die Antwort endete ohne Bestätigung. Sie kann unvollständig sein.',
  connectionLost:
    'Verbindung verloren. Der bisherige Text ist erhalten. Ein neuer Versuch ist möglich.',
  reconnecting: 'Verbindet neu.',
  rateLimited: (wait) =>
    wait === undefined
      ? 'Zu viele Anfragen. Versuchen Sie es später.'
      : `Zu viele Anfragen. Neuer Versuch in ${wait}.`,
  retryNow: 'Sie können es jetzt erneut versuchen.',
  offline: 'Sie sind offline. Ihre Nachricht bleibt erhalten.',
  online: 'Wieder online.',
  copied: 'Kopiert.',
  heading: (text) => `Überschrift: ${text}`,
  quote: (text) => `Zitat: ${text}`,
  codeBlock: (language, lines) =>
    `Codeblock, ${language === '' ? '' : `${language}, `}${plural(lines, { one: '# Zeile', other: '# Zeilen' })}.`,
  table: (columns, rows) =>
    `Tabelle, ${plural(columns, { one: '# Spalte', other: '# Spalten' })}, ${plural(rows, { one: '# Zeile', other: '# Zeilen' })}.`,
  link: (text) => `${text}, Link`,
  linkTo: (host) => `Link zu ${host}`,
  image: (alt) => `Bild: ${alt}.`,
  imageBlocked: 'Bild blockiert.',
  formula: 'Formel.',
  seconds: (count) => plural(count, { one: '# Sekunde', other: '# Sekunden' }),
}
