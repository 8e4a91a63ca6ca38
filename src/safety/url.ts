/** How careful the reader is with what a model wrote. There is no "off". */
export type PolicyLevel = 'strict' | 'balanced'

/** What may be linked to and loaded from text that a model wrote. */
export interface UrlPolicy {
  /** `balanced` asks before fewer links and lets allowed images have a query. Default `strict`. */
  readonly level?: PolicyLevel | undefined
  /** Address that relative links are resolved against; without it they are plain text. */
  readonly linkBase?: string | undefined
  /**
   * Images that load at once: addresses of an origin and, after it, the beginning of a path. `https://a.example/img`
   * allows `/img/x.png` but not `/imgs/x.png`. No wildcards. Default none.
   */
  readonly allowImages?: readonly string[] | undefined
  /** Whether `data:` images show (PNG, GIF, JPEG, WebP, at most 1 MB). Default false. */
  readonly dataImages?: boolean | undefined
}

/** Why a link is not followed without a question. */
export type LinkDoubt = 'other-host' | 'international-host' | 'ip-host' | 'port' | 'long-query'

/** A link that may be followed. */
export interface CheckedLink {
  readonly href: string
  /** Host as ASCII; the address for mail. */
  readonly host: string
  readonly doubts: readonly LinkDoubt[]
}

const maxLength = 2048

/** Parses an absolute or (with a base) relative address; `undefined` if it is malformed or not of an allowed form. */
function parseAddress(address: string, base?: string): URL | undefined {
  // Backslashes count as slashes in a browser, and arrive here percent-encoded.
  if (address.length > maxLength || /[\0- \u007f\\]|^[^?#]*%5c/i.test(address)) return undefined
  const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(address)
  if (!isAbsolute && base === undefined) return undefined
  if (isAbsolute && !/^(?:https?:\/\/[^/]|mailto:)/i.test(address)) return undefined
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined
  if (url === undefined || url.username !== '' || url.password !== '') return undefined
  return url
}

/** Judges the address of a link with the given text; `undefined` if it must not be one. */
export function checkLink(
  href: string,
  text: string,
  policy: UrlPolicy = {},
): CheckedLink | undefined {
  if (href.startsWith('#')) return undefined
  const url = parseAddress(href, policy.linkBase)
  if (url === undefined) return undefined
  if (url.protocol === 'mailto:') {
    // A body or a copy to someone else would put words into the reader's mouth.
    const address = url.pathname
    return address === '' ? undefined : { href: `mailto:${address}`, host: address, doubts: [] }
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  const isRelative = !/^[a-z][a-z\d+.-]*:/i.test(href)
  // A relative address must not leave the host that it is resolved against.
  if (isRelative && url.origin !== new URL(policy.linkBase ?? href).origin) return undefined
  const doubts = isRelative ? [] : doubtsAbout(url, text, policy.level ?? 'strict')
  return { href: isRelative ? url.href : href, host: url.host, doubts }
}

function doubtsAbout(url: URL, text: string, level: PolicyLevel): readonly LinkDoubt[] {
  const doubts: LinkDoubt[] = []
  const named = namedHost(text)
  if (named !== undefined && !isSameSite(named, url.hostname)) doubts.push('other-host')
  if (/(?:^|\.)xn--/.test(url.hostname)) doubts.push('international-host')
  if (level === 'balanced') return doubts
  if (/^\[|^[\d.]+$/.test(url.hostname)) doubts.push('ip-host')
  if (url.port !== '') doubts.push('port')
  if (/[\w+/=%-]{64,}/.test(url.search + url.hash)) doubts.push('long-query')
  return doubts
}

// Endings of file names that are top-level domains too: `README.md` names no host.
const fileEndings =
  /\.(?:md|mdx|js|jsx|ts|tsx|mjs|cjs|py|rs|rb|go|sh|pl|php|java|cs|cc|cpp|css|html?|json|ya?ml|toml|xml|txt|csv|pdf|zip|mov|so|vue|net)$/i

/** The host that a link's text names, if the text is an address or holds one with its scheme. */
function namedHost(text: string): string | undefined {
  const explicit = /(?:https?:\/\/|www\.)([^\s/?#:@]+)/i.exec(text)
  if (explicit !== null) return explicit[0].toLowerCase().replace(/^https?:\/\//, '')
  const bare = /^((?:[a-z\d-]+\.)+[a-z]{2,})(?:[/?#:]\S*)?$/i.exec(text.trim())?.[1]
  return bare === undefined || fileEndings.test(bare) ? undefined : bare.toLowerCase()
}

function isSameSite(named: string, host: string): boolean {
  const bare = named.replace(/^www\./, '')
  return host === bare || host.endsWith(`.${bare}`)
}

/** An image: shown at once, or on request. */
export interface CheckedImage {
  readonly src: string
  /** Host that would be asked; empty for `data:`. */
  readonly host: string
  readonly isAllowed: boolean
}

const dataImage = /^data:image\/(?:png|gif|jpeg|webp);base64,[a-z\d+/]+={0,2}$/i
const maxDataLength = 1_400_000

/** Judges the address of an image; `undefined` if it must not be loaded even on request. */
export function checkImage(src: string, policy: UrlPolicy = {}): CheckedImage | undefined {
  if (/^data:/i.test(src)) {
    const isShown = policy.dataImages === true && src.length <= maxDataLength && dataImage.test(src)
    return isShown ? { src, host: '', isAllowed: true } : undefined
  }
  const url = parseAddress(src)
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  const isAllowed = (policy.allowImages ?? []).some((allowed) => isBelow(url, allowed, policy))
  return { src: url.href, host: url.host, isAllowed }
}

function isBelow(url: URL, allowed: string, { level }: UrlPolicy): boolean {
  const root = URL.canParse(allowed) ? new URL(allowed) : undefined
  if (root === undefined || root.origin !== url.origin) return false
  // An encoded slash or dot would climb out of the path where a server decodes it.
  if (/%2e|%2f|%5c/i.test(url.pathname)) return false
  if (url.search !== '' && level !== 'balanced') return false
  const path = root.pathname.replace(/\/$/, '')
  return url.pathname === path || url.pathname.startsWith(`${path}/`)
}
