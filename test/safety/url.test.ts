import { describe, expect, test } from 'vitest'
import { checkImage, checkLink } from '../../src/safety/url.ts'

describe('links', () => {
  test.each([
    'https://a.example/b?c=d#e',
    'http://a.example',
    'HTTPS://A.EXAMPLE/x',
    'https://a.example/%E2%82%AC',
  ])('%s may be one', (href) => {
    expect(checkLink(href, 'label')).toMatchObject({ href, doubts: [] })
  })

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://a.example/x',
    'file:///etc/passwd',
    'ms-msdt:x',
    'sandbox:/mnt/data/r.pdf',
    '//ev.invalid/x',
    '/relative',
    '..//ev.invalid',
    '#top',
    'https:ev.invalid',
    'https:/ev.invalid',
    'https:///ev.invalid',
    'https://user:pass@ev.invalid/',
    'https://good.example@ev.invalid/',
    'https:\\\\ev.invalid',
    '/%5Cev.invalid',
    'https://a.example/\u0000',
    'https://a.example/a\tb',
    'java\nscript:alert(1)',
    `https://a.example/${'x'.repeat(2100)}`,
    'https://',
    '',
  ])('%j may not', (href) => {
    expect(checkLink(href, 'label')).toBeUndefined()
  })

  test('mail goes to an address and carries nothing else', () => {
    expect(checkLink('mailto:a@b.example?cc=x@y.example&body=hi', 'm')?.href).toBe(
      'mailto:a@b.example',
    )
  })

  test('relative ones need a base, and stay on its host', () => {
    const policy = { linkBase: 'https://docs.example/a/' }
    expect(checkLink('b', 'x', policy)?.href).toBe('https://docs.example/a/b')
    expect(checkLink('../c?d', 'x', policy)?.href).toBe('https://docs.example/c?d')
    expect(checkLink('//ev.invalid/x', 'x', policy)).toBeUndefined()
    expect(checkLink('/\\ev.invalid', 'x', policy)).toBeUndefined()
  })

  test.each([
    ['https://bank.example.ev.invalid/', 'https://bank.example', 'other-host'],
    ['https://ev.invalid/', 'bank.example', 'other-host'],
    ['https://ev.invalid/', 'see www.bank.example now', 'other-host'],
    ['https://xn--80ak6aa92e.com/', 'apple', 'international-host'],
    ['https://192.0.2.1/x', 'x', 'ip-host'],
    ['https://[2001:db8::1]/x', 'x', 'ip-host'],
    ['https://a.example:8443/', 'x', 'port'],
    [`https://a.example/?d=${'A1b2'.repeat(20)}`, 'x', 'long-query'],
  ])('%s behind "%s" is asked about', (href, text, doubt) => {
    expect(checkLink(href, text)?.doubts).toContain(doubt)
  })

  test.each([
    ['https://github.com/a/b/README.md', 'README.md'],
    ['https://docs.bank.example/x', 'bank.example'],
    ['https://nodejs.org', 'the Node.js docs'],
  ])('%s behind "%s" is not', (href, text) => {
    expect(checkLink(href, text)?.doubts).toEqual([])
  })

  test('balanced asks only where the host may not be what it seems', () => {
    expect(checkLink('https://a.example:8443/', 'x', { level: 'balanced' })?.doubts).toEqual([])
    expect(checkLink('https://ev.invalid/', 'bank.example', { level: 'balanced' })?.doubts).toEqual(
      ['other-host'],
    )
  })
})

describe('images', () => {
  const policy = { allowImages: ['https://img.example/pub'] }

  test('wait for the reader unless they are allowed', () => {
    expect(checkImage('https://img.example/pub/x.png')).toMatchObject({
      isAllowed: false,
      host: 'img.example',
    })
    expect(checkImage('https://img.example/pub/x.png', policy)?.isAllowed).toBe(true)
  })

  test.each([
    'https://img.example/public/x.png',
    'https://img.example/pub/../x.png',
    'https://img.example/pub/%2e%2e/x.png',
    'https://img.example/pub/%2E%2E%2Fx.png',
    'https://img.example/pub/x.png?d=secret',
    'https://img.example.ev.invalid/pub/x.png',
    'http://img.example/pub/x.png',
    'https://img.example:444/pub/x.png',
  ])('%s is not allowed by a path beside it', (src) => {
    expect(checkImage(src, policy)?.isAllowed).not.toBe(true)
  })

  test.each([
    'javascript:x',
    '//ev.invalid/x.png',
    '/x.png',
    'sandbox:/x',
    'https://u:p@ev.invalid/x',
    'data:image/png;base64,AA==',
  ])('%s is not even offered', (src) => {
    expect(checkImage(src, policy)).toBeUndefined()
  })

  test('data bitmaps show where that is wished, vector images never', () => {
    expect(checkImage('data:image/png;base64,AA==', { dataImages: true })?.isAllowed).toBe(true)
    expect(checkImage('data:image/svg+xml;base64,AA==', { dataImages: true })).toBeUndefined()
    expect(checkImage('data:image/svg+xml,<svg/>', { dataImages: true })).toBeUndefined()
    expect(
      checkImage(`data:image/png;base64,${'A'.repeat(1_500_000)}`, { dataImages: true }),
    ).toBeUndefined()
  })
})
