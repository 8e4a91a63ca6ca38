/**
 * Diagrams, by Mermaid (an optional peer), in a sandbox of their own.
 *
 * @module
 */
import { createDiagram } from './diagrams/diagram.tsx'
import type { MarkdownExtension } from './components/markdown/view.ts'

/** Options of {@link mermaidDiagrams}. */
export interface DiagramOptions {
  /**
   * Where Mermaid's script is served: `mermaid/dist/mermaid.min.js`. Vite and webpack find it by themselves; with another
   * bundler, copy the file to where you serve yours.
   */
  readonly script?: string | URL | undefined
}

/**
 * Diagrams for the `mermaid` code blocks of `<Markdown>`, drawn once the answer has ended. Mermaid never runs in your page:
 * its script is loaded in an iframe without your origin, without network and without links, and what it draws stays there.
 * The source can always be shown, and is what is left of a diagram that can't be drawn. Call it once, outside of components.
 */
export function mermaidDiagrams({ script }: DiagramOptions = {}): MarkdownExtension {
  return { name: 'diagrams', renderers: { code: { mermaid: createDiagram(script) } } }
}
