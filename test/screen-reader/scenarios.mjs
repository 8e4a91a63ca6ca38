// What is asked, and what a listener should hear of it: written by hand, not by our own segmenter.

/** @typedef {import('../browser/pages/announcer.tsx').Script} Script */

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {Script} script
 * @property {readonly string[]} content All that could be read of the answer, in order.
 * @property {readonly string[]} [before] What is said before it.
 * @property {string} end How its end is told.
 * @property {readonly string[]} [later] What is said after that.
 * @property {boolean} [counts] What was not read is counted at the end.
 * @property {boolean} [cuts] The end cuts the reading short. Without either all is to be read.
 * @property {'stop' | 'type' | 'dialog' | 'again'} [act] What the person does meanwhile.
 * @property {Scenario} [next] What is asked while this is still being said.
 */

const LONG = `Yes, you can fix this in an afternoon. The leak comes from a timer that nobody clears. Dr. Lee measured 14.5 MB per hour on the first day. On the second day it was worse.

## What to change

1. Keep the handle of the timer.
2. Clear it when the page is hidden.
3. Start it again when the page is back.

\`\`\`js
const timer = setInterval(poll, 1000)
addEventListener('pagehide', () => clearInterval(timer))
\`\`\`

The table shows what this brings.

| Build | Memory |
| --- | --- |
| before | 348 MB |
| after | 61 MB |

The numbers are from a laptop with 8 GB. Your own may differ a little. It does not matter which browser you use. What matters is that the timer stops. If it does not, look for a second one. There often is one. Search the code for **setInterval** and [setTimeout](https://example.com/timers). Then run the test again. In the end the line should be flat. Ask me if it is not.`

export const LONG_SENTENCES = [
  'Yes, you can fix this in an afternoon.',
  'The leak comes from a timer that nobody clears.',
  'Dr. Lee measured 14.5 MB per hour on the first day.',
  'On the second day it was worse.',
  'Heading: What to change',
  'Keep the handle of the timer.',
  'Clear it when the page is hidden.',
  'Start it again when the page is back.',
  'Code block, js, 2 lines.',
  'The table shows what this brings.',
  'Table, 2 columns, 2 rows.',
  'The numbers are from a laptop with 8 GB.',
  'Your own may differ a little.',
  'It does not matter which browser you use.',
  'What matters is that the timer stops.',
  'If it does not, look for a second one.',
  'There often is one.',
  'Search the code for setInterval and setTimeout.',
  'Then run the test again.',
  'In the end the line should be flat.',
  'Ask me if it is not.',
]

const long = (/** @type {number} */ perSecond) => ({
  name: `long answer, ${perSecond} tokens/s`,
  script: { text: LONG, tokenMs: 1000 / perSecond },
  content: LONG_SENTENCES,
  end: 'Response complete.',
  counts: true,
})

const SHORT = 'The quick answer is yes. The long one takes a little more time.'
const SHORT_SENTENCES = ['The quick answer is yes.', 'The long one takes a little more time.']

/** @type {readonly Scenario[]} */
export const scenarios = [
  long(50),
  long(12),
  long(5),
  {
    name: 'short answer',
    script: { text: SHORT, tokenMs: 80 },
    content: SHORT_SENTENCES,
    end: 'Response complete.',
  },
  {
    name: 'code, table, list',
    script: {
      text: 'Three things:\n\n- the first of them\n- and the second one\n\n```python\nprint(1)\n```\n\n| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n',
      tokenMs: 80,
    },
    content: [
      'Three things:',
      'the first of them',
      'and the second one',
      'Code block, python, 1 line.',
      'Table, 3 columns, 1 row.',
    ],
    end: 'Response complete.',
  },
  {
    name: 'Japanese',
    script: {
      text: '今日はとても良い天気です。「傘は要りません。」と予報は伝えています。\n\n- 午前中は晴れるでしょう。\n- 午後は少し曇るでしょう。\n',
      tokenMs: 80,
    },
    content: [
      '今日はとても良い天気です。',
      '「傘は要りません。」と予報は伝えています。',
      '午前中は晴れるでしょう。',
      '午後は少し曇るでしょう。',
    ],
    end: 'Response complete.',
  },
  {
    name: 'tool run',
    script: {
      before: [
        {
          type: 'tool_start',
          part: 'tool',
          toolCallId: 'c1',
          name: 'weather',
          inputKind: 'json',
          runs: 'server',
        },
        { type: 'tool_delta', toolCallId: 'c1', argsText: '{}' },
        { type: 'tool_complete', toolCallId: 'c1', argsText: '{}', args: {} },
        { type: 'tool_result', toolCallId: 'c1', state: 'succeeded', output: 12, trusted: false },
      ],
      text: 'It is twelve degrees in Oslo. Take a coat with you.',
      tokenMs: 100,
    },
    before: ['Using weather.'],
    content: ['It is twelve degrees in Oslo.', 'Take a coat with you.'],
    end: 'Response complete.',
  },
  {
    name: 'cut off at the limit',
    script: { text: SHORT, tokenMs: 200, after: [{ type: 'done', finishReason: 'length' }] },
    content: SHORT_SENTENCES,
    end: 'Response cut off at the length limit. Continue is available.',
  },
  {
    name: 'connection lost',
    script: {
      text: `${SHORT} And then it br`,
      tokenMs: 150,
      after: [{ type: 'interrupted', sentinel: false }],
    },
    content: SHORT_SENTENCES,
    end: 'Connection lost. Partial answer kept. Retry is available.',
    cuts: true,
  },
  {
    name: 'rate limit',
    script: {
      text: '',
      tokenMs: 0,
      after: [
        {
          type: 'error',
          code: 'rate-limit',
          message: 'Slow down.',
          retryable: true,
          retryAfterMs: 4000,
        },
      ],
    },
    content: [],
    end: 'Rate limited. You can retry in 4 seconds.',
    later: ['You can retry now.'],
  },
  {
    name: 'stopped with Escape',
    script: { text: LONG, tokenMs: 80 },
    content: LONG_SENTENCES,
    end: 'Response stopped.',
    cuts: true,
    act: 'stop',
  },
  {
    name: 'typing meanwhile',
    script: { text: SHORT, tokenMs: 60 },
    content: SHORT_SENTENCES,
    end: 'Response complete.',
    act: 'type',
  },
  {
    name: 'a modal dialog open',
    script: { text: SHORT, tokenMs: 60 },
    content: SHORT_SENTENCES,
    end: 'Response complete.',
    act: 'dialog',
  },
  {
    name: 'a second question while speaking',
    script: { text: LONG, tokenMs: 20 },
    content: LONG_SENTENCES,
    end: 'Response complete.',
    counts: true,
    act: 'again',
    next: {
      name: 'the second answer',
      script: { text: 'That is something else. Paris is the capital of France.', tokenMs: 60 },
      content: ['That is something else.', 'Paris is the capital of France.'],
      end: 'Response complete.',
    },
  },
]
