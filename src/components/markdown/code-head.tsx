'use client'
import { Download, WrapText } from 'lucide-react'
import { memo, type FunctionComponent, type ReactNode } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import { copyIcons } from '../copy/icons.ts'
import { Icon } from '../icon.tsx'
import { useCopy } from '../copy/use-copy.ts'

/** Props of {@link CodeHead}. */
export interface CodeHeadProps {
  readonly language: string
  readonly isWrapped: boolean
  readonly setWrapped: (isWrapped: boolean) => void
  /** The code as it is when a button is pressed. */
  readonly readCode: () => string
}

/** What stands over code: its language, and what can be done with it. It is not drawn again for a line more. */
export const CodeHead: FunctionComponent<CodeHeadProps> = memo(function CodeHead({
  language,
  isWrapped,
  setWrapped,
  readCode,
}: CodeHeadProps): ReactNode {
  const labels = useLabels()
  const { state, copy } = useCopy(() => navigator.clipboard.writeText(readCode()))
  const save = (): void => {
    import('./save-file.ts').then(
      ({ fileNameOf, saveFile }) => saveFile(fileNameOf(language), readCode()),
      (error: unknown) => reportError(error),
    )
  }
  const names = {
    idle: labels.markdown.copyCode,
    copied: labels.markdown.copied,
    failed: labels.message.copyFailed,
  }
  return (
    <div className="sluice-md-code-head">
      <span>{language}</span>
      <div className="sluice-md-buttons">
        <button
          type="button"
          className="sluice-md-button"
          aria-label={labels.markdown.wrapLines}
          title={labels.markdown.wrapLines}
          aria-pressed={isWrapped}
          onClick={() => setWrapped(!isWrapped)}
        >
          <Icon of={WrapText} />
        </button>
        <button
          type="button"
          className="sluice-md-button"
          aria-label={labels.markdown.downloadCode}
          title={labels.markdown.downloadCode}
          onClick={save}
        >
          <Icon of={Download} />
        </button>
        <button
          type="button"
          className="sluice-md-button"
          aria-label={names[state]}
          title={names[state]}
          onClick={copy}
        >
          <Icon of={copyIcons[state]} />
        </button>
      </div>
    </div>
  )
})
