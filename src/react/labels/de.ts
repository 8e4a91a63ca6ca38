'use client'
import { germanPhrases } from './announcer-de.ts'
import { durationIn, pluralIn } from './intl.ts'
import type { Labels } from './labels.ts'

const plural = pluralIn('de')

/** German. */
export const de: Labels = {
  locale: 'de',
  dir: 'ltr',
  duration: durationIn('de', { hour: ' Std.', minute: ' Min.', second: ' s' }),
  thread: {
    title: 'Chat',
    conversation: 'Gespräch',
    greeting: 'Was möchten Sie wissen?',
    suggestions: 'Vorschläge',
    moreSuggestions: 'Weitere Vorschläge',
    jumpToLatest: (count) =>
      count === 0
        ? 'Zum Neuesten'
        : plural(count, {
            one: 'Zum Neuesten, # neue Nachricht',
            other: 'Zum Neuesten, # neue Nachrichten',
          }),
  },
  composer: {
    form: 'Nachricht schreiben',
    input: 'Nachricht',
    placeholder: 'Fragen Sie etwas',
    send: 'Senden',
    stop: 'Anhalten',
    nothingToSend: 'Schreiben Sie zuerst etwas',
    hint: 'Eingabetaste sendet, Umschalt + Eingabetaste beginnt eine neue Zeile',
  },
  message: {
    userSaid: 'Sie schrieben',
    assistantSaid: 'Der Assistent schrieb',
    systemSaid: 'Anweisungen',
    waiting: 'Warten auf die Antwort',
    continued: 'Fortsetzung',
    actions: 'Aktionen zur Nachricht',
    copy: 'Kopieren',
    copied: 'Kopiert',
    copyFailed: 'Kopieren nicht möglich',
    regenerate: 'Neu antworten',
    sending: 'Wird gesendet',
    queued: 'In der Warteschlange',
    notSent: 'Nicht gesendet',
    sources: 'Quellen',
    attachment: 'Anhang',
    partFailed: 'Dieser Teil konnte nicht angezeigt werden.',
    unknownPart: 'Ein Teil dieser Art kann hier nicht angezeigt werden.',
  },
  status: {
    cancelled: 'Angehalten',
    length: 'An der Längengrenze abgeschnitten',
    contextWindow: 'Abgeschnitten: Das Gespräch ist so lang, wie das Modell lesen kann',
    contentFilter: 'Von einem Filter zurückgehalten',
    refusal: 'Abgelehnt',
    paused: 'Unterbrochen',
    unknown: 'Ende nicht bestätigt',
    interrupted: 'Verbindung verloren, Text behalten',
    interruptedEmpty: 'Verbindung verloren, bevor die Antwort begann',
    invalid: 'Die Antwort hat die Prüfung nicht bestanden',
    toolCalls: 'Wartet auf ein Werkzeug',
    approval: 'Wartet auf Ihre Zustimmung',
    rateLimited: (wait) => (wait === '' ? 'Anfragelimit erreicht' : `Anfragelimit, noch ${wait}`),
    continue: 'Fortsetzen',
    retry: 'Wiederholen',
    resume: 'Wieder aufnehmen',
    check: 'Prüfen',
    details: 'Einzelheiten',
  },
  errors: {
    network:
      'Der Server war nicht zu erreichen. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
    gateway:
      'Ein Server auf dem Weg hat nicht richtig geantwortet. Versuchen Sie es gleich noch einmal.',
    auth: 'Der Schlüssel fehlte oder wurde nicht angenommen. Hinterlegen Sie auf dem Server einen gültigen API-Schlüssel.',
    permission:
      'Der Zugriff war nicht erlaubt. Bitten Sie um Zugang zu diesem Modell oder wählen Sie ein anderes.',
    'not-found':
      'Unter dieser Adresse wurde nichts gefunden. Prüfen Sie die Adresse und den Namen des Modells.',
    'bad-request':
      'Die Anfrage wurde nicht verstanden. Ändern Sie die Nachricht und senden Sie sie noch einmal.',
    'context-length':
      'Das Gespräch ist zu lang für das Modell. Beginnen Sie ein neues oder kürzen Sie es.',
    'too-large': 'Die Nachricht ist zu groß. Kürzen Sie sie oder senden Sie kleinere Dateien.',
    conflict: 'Die Anfrage stieß mit einer anderen zusammen. Versuchen Sie es erneut.',
    'rate-limit': 'Zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es erneut.',
    quota:
      'Das Kontingent ist aufgebraucht. Prüfen Sie Tarif und Abrechnung oder warten Sie auf den nächsten Zeitraum.',
    overloaded: 'Das Modell ist überlastet. Versuchen Sie es gleich noch einmal.',
    timeout: 'Die Antwort hat zu lange gedauert. Versuchen Sie es erneut.',
    server: 'Auf dem Server ist ein Fehler aufgetreten. Versuchen Sie es gleich noch einmal.',
    'content-filter': 'Ein Filter hat dies zurückgehalten. Stellen Sie die Frage anders.',
    vendor:
      'Das Modell hat einen Fehler gemeldet. Versuchen Sie es erneut oder wählen Sie ein anderes.',
    'empty-response': 'Der Server hat eine leere Antwort geschickt. Versuchen Sie es erneut.',
    'not-a-stream':
      'Der Server hat mit etwas geantwortet, das kein Datenstrom ist. Prüfen Sie Adresse und Format.',
    'malformed-record':
      'Ein Stück der Antwort war nicht lesbar. Der Text davor ist behalten. Versuchen Sie es erneut.',
    'invalid-tool-arguments':
      'Das Modell hat ein Werkzeug mit ungültigen Angaben aufgerufen. Versuchen Sie es erneut.',
    'invalid-output': 'Die Antwort hat die Prüfung nicht bestanden. Versuchen Sie es erneut.',
    'unsupported-version':
      'Der Server spricht eine neuere Fassung des Protokolls. Laden Sie die Seite neu.',
    'unknown-stream': 'Der Server kennt diese Antwort nicht mehr. Versuchen Sie es erneut.',
    'replay-expired':
      'Der Rest dieser Antwort ist auf dem Server nicht mehr vorhanden. Versuchen Sie es erneut.',
    stalled: 'Es kommt nichts mehr an. Versuchen Sie es erneut.',
    'limit-exceeded':
      'Die Antwort überschritt eine Größengrenze und wurde abgeschnitten. Bitten Sie um eine kürzere.',
    'bad-request-id': 'Die Anfrage hatte keine gültige Kennung. Laden Sie die Seite neu.',
  },
  reasoning: {
    thinking: 'Denkt nach',
    thought: 'Nachgedacht',
    thoughtFor: (duration) => `${duration} nachgedacht`,
  },
  tool: {
    preparing: (name) => `${name} wird vorbereitet`,
    running: (name) => `${name} läuft`,
    used: (name) => `${name} benutzt`,
    failed: (name) => `${name} ist fehlgeschlagen`,
    denied: (name) => `${name} wurde abgelehnt`,
    incomplete: (name) => `${name} wurde nicht ausgeführt`,
    outcomeUnknown: (name) => `${name}: Ausgang nicht bekannt`,
    asks: (name) => `${name} erlauben?`,
    answered: (name) => `Entscheidung zu ${name} gesendet`,
    approve: 'Erlauben',
    deny: 'Ablehnen',
    arguments: 'Angaben',
    result: 'Ergebnis',
    error: 'Fehler',
    untrusted: 'Rückgabe des Werkzeugs, ungeprüft',
  },
  markdown: {
    copyCode: 'Code kopieren',
    wrapLines: 'Zeilen umbrechen',
    downloadCode: 'Code herunterladen',
    copied: 'Kopiert',
    codeBlock: (language) => (language === '' ? 'Code' : `Code, ${language}`),
    copyTableAs: (format) => `Tabelle als ${format} kopieren`,
    table: 'Tabelle',
    formula: 'Formel',
    diagram: 'Diagramm',
    diagramSource: 'Quelltext',
    loadImage: 'Bild laden',
    imageFrom: (host) => `Bild von ${host}`,
    taskDone: 'Erledigt',
    taskOpen: 'Offen',
    hiddenCharacters: (count) =>
      plural(count, {
        one: '# verborgenes Zeichen entfernt',
        other: '# verborgene Zeichen entfernt',
      }),
    tooLarge: 'Zu groß zum Formatieren, als reiner Text gezeigt',
    footnotes: 'Fußnoten',
    backToText: 'Zurück zum Text',
    opensHost: (host) => `Dieser Link führt zu ${host}`,
    openLink: 'Öffnen',
    keepClosed: 'Abbrechen',
  },
  settings: {
    title: 'Einstellungen',
    close: 'Schließen',
    speech: 'Bildschirmleser',
    verbosity: {
      off: 'Nichts',
      status: 'Nur wie es steht',
      balanced: 'Den Anfang, dann eine Übersicht',
      full: 'Alles',
    },
    repeat: 'Noch einmal sagen',
    readOn: 'Weiterlesen',
    goToLatest: 'Zur neuesten Antwort',
    display: 'Seite',
    smooth: 'Text gleichmäßig zeigen',
    reducedMotion: 'Weniger Bewegung',
    sounds: 'Töne, wenn eine Antwort endet',
  },
  announcer: { ...germanPhrases, failed: (code) => de.errors[code] },
}
