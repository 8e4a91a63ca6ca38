/** One thing that the demonstration model can answer. */
export interface DemoScript {
  /** Key of the script; stable, fit for a test or a story. */
  readonly id: string
  /** A few words for a suggestion's label. */
  readonly title: string
  /** What the person sends; the model knows the script by this text. */
  readonly prompt: string
  /** Which side of the kit the answer shows. */
  readonly shows: string
}

/** Everything that the demonstration model can answer, the four best suggestions first. */
export const demoScripts: readonly DemoScript[] = [
  {
    id: 'prose',
    title: 'How a lock lifts a boat',
    prompt: 'How does a canal lock lift a boat without a pump?',
    shows: 'prose with headings',
  },
  {
    id: 'table',
    title: 'The greatest tides, compared',
    prompt: 'Compare the places with the greatest tides, in a table.',
    shows: 'a table that grows row by row',
  },
  {
    id: 'code',
    title: 'Read a stream, in two languages',
    prompt: 'Show me how to read a streamed HTTP response in TypeScript and in Python.',
    shows: 'two code blocks',
  },
  {
    id: 'reasoning',
    title: 'When is there water over the sill?',
    prompt:
      'Low water is 0.8 m at 08:05, high water 4.4 m at 14:17. When is there 2.6 m over the sill?',
    shows: 'reasoning before the answer',
  },
  {
    id: 'list',
    title: 'Work a lock for the first time',
    prompt: 'Give me a checklist for working a canal lock for the first time.',
    shows: 'nested and numbered lists',
  },
  {
    id: 'japanese',
    title: 'なぜ速く感じるのか',
    prompt: 'ストリーミング応答はなぜ速く感じるのですか。',
    shows: 'Japanese prose',
  },
  {
    id: 'tool',
    title: 'Look up the tide at Avonmouth',
    prompt: 'What is the tide doing at Avonmouth? Look it up.',
    shows: 'a tool call and its result',
  },
  {
    id: 'length',
    title: 'An answer cut at its limit',
    prompt: 'Write the whole history of the Thames Barrier.',
    shows: 'a cut at the length limit, and Continue',
  },
  {
    id: 'refusal',
    title: 'A request that is declined',
    prompt: "Tell me how to force open the sluice gates of someone else's weir at night.",
    shows: 'a refusal',
  },
  {
    id: 'drop',
    title: 'A connection that drops',
    prompt: 'Tell me about the Falkirk Wheel, and lose the connection on the way.',
    shows: 'a connection dropped in mid-sentence',
  },
  {
    id: 'interrupted',
    title: 'A model that dies midway',
    prompt: 'Tell me about the Falkirk Wheel, and let the model die midway.',
    shows: 'an answer whose end nobody knows',
  },
  {
    id: 'error',
    title: 'A rate limit',
    prompt: 'Answer as if the model were out of capacity.',
    shows: 'an error with its wait',
  },
]
