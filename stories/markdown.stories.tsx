import type { Meta, StoryObj } from '@storybook/react-vite'
import { Markdown } from 'sluice'
import { shikiCode } from 'sluice/code'
import { mermaidDiagrams } from 'sluice/diagrams'
import { katexMath } from 'sluice/math'
import 'katex/dist/katex.min.css'
import { expect, waitFor } from 'storybook/test'
import { inColumn } from './support/column.tsx'

/** `Markdown` alone: a text that is whole, or that still grows. */
const meta = {
  title: 'Markdown',
  component: Markdown,
  decorators: [inColumn],
  args: { text: '' },
} satisfies Meta<typeof Markdown>

export default meta
type Story = StoryObj<typeof meta>

export const Prose: Story = {
  args: {
    text: `# A lock\n\nWater does the *lifting*, the gates only **wait**[^1]. See [the canal](https://example.com/canal) or www.example.org.\n\n> Nobody ever pumped a boat uphill.\n\n---\n\nThat is all.\n\n[^1]: Some leak a little.`,
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('heading', { name: 'A lock' })).toBeVisible()
    await expect(canvas.getByRole('link', { name: 'the canal' })).toHaveAttribute(
      'rel',
      'noopener noreferrer nofollow ugc',
    )
  },
}

export const Code: Story = {
  args: {
    text: '```ts\nfor await (const event of events) {\n  if (event.type === "done") break\n}\n```\n\nand in the line: `EOF is not done`.',
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('button', { name: 'Copy code' })).toBeVisible()
    await expect(canvas.getByText('ts')).toBeVisible()
  },
}

const withColours = [shikiCode()]

export const CodeInColours: Story = {
  args: {
    extensions: withColours,
    text: '```ts\n// A line is tokenised once.\nexport async function wait(events: AsyncIterable<Event>): Promise<number> {\n  let count = 0\n  for await (const event of events) {\n    if (event.type === "done") return count\n    count += 1\n  }\n  throw new Error(`ended after ${count}`)\n}\n```\n\n```diff\n- a boat\n+ a lock\n```',
  },
  play: async ({ canvasElement }) => {
    const keyword = (): Element | null => canvasElement.querySelector('.sluice-code-keyword')
    await waitFor(() => expect(keyword()).toHaveTextContent('export async function'), {
      timeout: 10_000,
    })
  },
}

const withMath = [katexMath()]

export const Formulas: Story = {
  args: {
    extensions: withMath,
    text: 'A lock of area $A$ fills through a sluice of area $a$ in about\n\n$$\nt = \\frac{2 A \\sqrt{h}}{C_d\\, a \\sqrt{2 g}}\n$$\n\nwhich for \\(h = 3\\,\\mathrm{m}\\) costs $5 to $10 of water. A wrong one stays as written: $\\frac{1}$.\n\n\\[ \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} \\begin{pmatrix} x \\\\ y \\end{pmatrix} = \\sum_{k=0}^{\\infty} \\frac{x^k}{k!} \\cdot \\int_0^1 \\left( \\frac{u^2 + v^2}{u - v} \\right) du + \\prod_{j=1}^{n} \\frac{1}{1 - q^j} \\]',
  },
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvasElement.querySelectorAll('math').length).toBe(5), {
      timeout: 10_000,
    })
    await expect(canvas.getByText(/costs \$5 to \$10 of water/)).toBeVisible()
    await expect(canvas.getByText('\\frac{1}')).toBeVisible()
  },
}

const withDiagrams = [mermaidDiagrams()]

export const Diagram: Story = {
  args: {
    extensions: withDiagrams,
    text: '```mermaid\nflowchart LR\n  A[Upper gate] -->|fills| B(Chamber)\n  B --> C{Level?}\n  C -- yes --> D[Open]\n  C -- no --> B\n```\n\nOne that can not be drawn:\n\n```mermaid\nflowchart LR\n  A --> --> B[\n```',
  },
  play: async ({ canvas, userEvent }) => {
    const source = await canvas.findByRole('button', { name: 'Source' }, { timeout: 20_000 })
    await expect(canvas.getAllByTitle('Diagram')[0]).toBeVisible()
    await userEvent.click(source)
    await expect(canvas.getAllByText(/flowchart LR/)[0]).toBeVisible()
    await userEvent.click(source)
  },
}

export const Table: Story = {
  args: {
    text: '| Place | Range | Why |\n| :-- | --: | :-: |\n| Fundy | 16.3 m | resonance |\n| Severn | 14.8 m | a funnel |\n| Naples | 0.5 m | a narrow strait |',
  },
  play: async ({ canvas }) => {
    await expect(canvas.getAllByRole('row')).toHaveLength(4)
    await expect(canvas.getByRole('region', { name: 'Table' })).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Copy table as CSV' })).toBeInTheDocument()
  },
}

export const Lists: Story = {
  args: {
    text: '1. Close the lower gates\n2. Open the upper paddles\n   - slowly at first\n   - then fully\n3. Wait\n\n- [x] rope\n- [ ] windlass',
  },
  play: async ({ canvas }) => {
    await expect(canvas.getAllByRole('checkbox')).toHaveLength(2)
  },
}

/** The end is unfinished: emphasis is closed, half a link is text without an address, half a table row is a row. */
export const Growing: Story = {
  args: {
    streaming: true,
    text: 'The gates **meet in a shallow V, and [the weight](https://example.c',
  },
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole('link')).toBeNull()
    await expect(canvas.queryByText(/\*\*/)).toBeNull()
  },
}

/** Nothing is loaded and nothing runs that the author of the page did not allow. */
export const Untrusted: Story = {
  args: {
    text: '![A tide table](https://example.com/tides.png)\n\n<script>alert(1)</script>\n\n[Click](javascript:alert(1)) and [my bank](https://xn--bnk-0qa.example/login)\n\nIn\u200bvisible.',
  },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvas.getByRole('button', { name: /Load image/ })).toBeVisible()
    await expect(canvasElement.querySelector('img, script')).toBeNull()
    await expect(canvas.queryByRole('link', { name: 'Click' })).toBeNull()
    await expect(canvas.getByText('1 hidden character removed')).toBeVisible()
  },
}

export const ManyTongues: Story = {
  args: {
    text: '水門は**「水の門」**です。https://example.com/水門。\n\nالبوابة **تفتح** ببطء.\n\nDie Schleuse *hebt* kein Boot.',
  },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvas.getByText('「水の門」').tagName).toBe('STRONG')
    await expect(canvasElement.querySelectorAll('[dir=auto]').length).toBeGreaterThan(2)
  },
}
