'use client'
import type { AnnouncerPhrases } from '../../announcer/phrases.ts'
import { pluralIn } from './intl.ts'

const plural = pluralIn('ar')

/** What is said to screen readers, in Arabic. */
export const arabicPhrases: Omit<AnnouncerPhrases, 'failed'> = {
  responding: 'المساعد يجيب.',
  thinking: 'يفكّر.',
  usingTool: (name) => `يستخدم ${name}.`,
  approvalNeeded: (name) => `يحتاج ${name} إلى موافقتك.`,
  working: 'ما زال العمل جاريًا.',
  complete: 'اكتملت الإجابة.',
  remaining: ({ sentences, tables, codeBlocks }) =>
    `المتبقي: ${[
      sentences > 0 &&
        plural(sentences, {
          one: 'جملة واحدة',
          two: 'جملتان',
          few: '# جمل',
          many: '# جملة',
          other: '# جملة',
        }),
      tables > 0 &&
        plural(tables, {
          one: 'جدول واحد',
          two: 'جدولان',
          few: '# جداول',
          many: '# جدولًا',
          other: '# جدول',
        }),
      codeBlocks > 0 &&
        plural(codeBlocks, {
          one: 'كتلة شفرة واحدة',
          two: 'كتلتا شفرة',
          few: '# كتل شفرة',
          many: '# كتلة شفرة',
          other: '# كتلة شفرة',
        }),
    ]
      .filter(Boolean)
      .join('، ')}.`,
  cutOff: 'انقطعت الإجابة عند حدّ الطول. يمكنك المتابعة.',
  withheld: 'حجب مُرشِّح هذه الإجابة.',
  declined: 'رفض المساعد الطلب.',
  stopped: 'أُوقِفت الإجابة.',
  paused: 'الإجابة متوقفة مؤقتًا. يمكنك المتابعة.',
  unconfirmed: 'انتهت الإجابة دون تأكيد. قد تكون ناقصة.',
  connectionLost: 'انقطع الاتصال. النص السابق محفوظ. يمكنك إعادة المحاولة.',
  reconnecting: 'يُعاد الاتصال.',
  rateLimited: (wait) =>
    wait === undefined
      ? 'بلغتَ حدّ الطلبات. أعد المحاولة لاحقًا.'
      : `بلغتَ حدّ الطلبات. يمكنك إعادة المحاولة بعد ${wait}.`,
  retryNow: 'يمكنك إعادة المحاولة الآن.',
  offline: 'أنت غير متصل. ستُحفظ رسالتك.',
  online: 'عاد الاتصال.',
  copied: 'تم النسخ.',
  heading: (text) => `عنوان: ${text}`,
  quote: (text) => `اقتباس: ${text}`,
  codeBlock: (language, lines) =>
    `كتلة شفرة، ${language === '' ? '' : `${language}، `}${plural(lines, {
      one: 'سطر واحد',
      two: 'سطران',
      few: '# أسطر',
      many: '# سطرًا',
      other: '# سطر',
    })}.`,
  table: (columns, rows) =>
    `جدول، ${plural(columns, {
      one: 'عمود واحد',
      two: 'عمودان',
      few: '# أعمدة',
      many: '# عمودًا',
      other: '# عمود',
    })}، ${plural(rows, {
      one: 'صف واحد',
      two: 'صفّان',
      few: '# صفوف',
      many: '# صفًا',
      other: '# صف',
    })}.`,
  link: (text) => `${text}، رابط`,
  linkTo: (host) => `رابط إلى ${host}`,
  image: (alt) => `صورة: ${alt}.`,
  imageBlocked: 'الصورة محجوبة.',
  formula: 'صيغة رياضية.',
  seconds: (count) =>
    plural(count, {
      one: 'ثانية واحدة',
      two: 'ثانيتين',
      few: '# ثوانٍ',
      many: '# ثانية',
      other: '# ثانية',
    }),
}
