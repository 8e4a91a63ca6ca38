// The one file that imports the parser. Its rules, its token types and nothing else of it are used: no renderer, no
// core rules, since blocks and inline content are parsed at different times here.
import MarkdownItParser, {
  type Delimiter,
  type Env,
  type MarkdownIt,
  type StateBlock,
  type StateInline,
  type Token,
} from 'markdown-it'

export type { Delimiter, Env, MarkdownIt, StateBlock, StateInline, Token }

/** Levels of nesting that markdown-it itself stops at; ours (`limits.depth`) is reached first. */
const maxNesting = 300

export function createMarkdownIt(): MarkdownIt {
  const md: MarkdownIt = new MarkdownItParser({ html: true, linkify: false, maxNesting })
  // Addresses are judged by the policy where they are drawn, so that a refused link keeps its label.
  md.validateLink = () => true
  return md
}
