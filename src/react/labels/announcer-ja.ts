'use client'
import type { AnnouncerPhrases } from '../../announcer/phrases.ts'
import { pluralIn } from './intl.ts'

const plural = pluralIn('ja')

/** What is said to screen readers, in Japanese. */
export const japanesePhrases: Omit<AnnouncerPhrases, 'failed'> = {
  responding: 'アシスタントが回答しています。',
  thinking: '考えています。',
  usingTool: (name) => `${name}を使っています。`,
  approvalNeeded: (name) => `${name}には許可が必要です。`,
  working: '処理を続けています。',
  complete: '回答が終わりました。',
  remaining: ({ sentences, tables, codeBlocks }) =>
    `残りは${[
      sentences > 0 && plural(sentences, { other: '#文' }),
      tables > 0 && plural(tables, { other: '表#個' }),
      codeBlocks > 0 && plural(codeBlocks, { other: 'コード#個' }),
    ]
      .filter(Boolean)
      .join('、')}です。`,
  cutOff: '長さの上限で回答が途切れました。続きを求められます。',
  withheld: 'フィルターにより回答は表示されません。',
  declined: 'アシスタントは回答を断りました。',
  stopped: '回答を停止しました。',
  paused: '回答が一時停止しました。続きを求められます。',
  unconfirmed: '回答の終わりを確認できませんでした。途中かもしれません。',
  connectionLost: '接続が切れました。それまでの文章は残っています。再試行できます。',
  reconnecting: '再接続しています。',
  rateLimited: (wait) =>
    wait === undefined
      ? 'リクエストが多すぎます。後で再試行してください。'
      : `リクエストが多すぎます。${wait}後に再試行できます。`,
  retryNow: '今すぐ再試行できます。',
  offline: 'オフラインです。メッセージは保存されます。',
  online: 'オンラインに戻りました。',
  copied: 'コピーしました。',
  heading: (text) => `見出し：${text}`,
  quote: (text) => `引用：${text}`,
  codeBlock: (language, lines) =>
    `コード、${language === '' ? '' : `${language}、`}${plural(lines, { other: '#行' })}。`,
  table: (columns, rows) =>
    `表、${plural(columns, { other: '#列' })}、${plural(rows, { other: '#行' })}。`,
  link: (text) => `${text}、リンク`,
  linkTo: (host) => `${host}へのリンク`,
  image: (alt) => `画像：${alt}。`,
  imageBlocked: '画像は読み込まれていません。',
  formula: '数式。',
  seconds: (count) => plural(count, { other: '#秒' }),
}
