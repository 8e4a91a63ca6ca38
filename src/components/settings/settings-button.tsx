'use client'
import { Settings2 } from 'lucide-react'
import { useId, useState, type ReactElement } from 'react'
import { useLabels } from '../../react/labels/context.tsx'
import { flushSync } from 'react-dom'
import { Icon } from '../icon.tsx'
import { renderPart, type PartProps } from '../part.ts'
import { SettingsPanel } from './settings-panel.tsx'

/** Opens the reader's settings in a dialog. They are kept in this browser, for all conversations. */
export function SettingsButton(props: PartProps<'button'>): ReactElement {
  const labels = useLabels().settings
  const [dialog, setDialog] = useState<HTMLDialogElement | null>(null)
  const [isOpen, setOpen] = useState(false)
  const headingId = useId()

  const close = (): void => dialog?.close()

  return (
    <>
      {renderPart(
        'button',
        props,
        {
          type: 'button',
          className: 'sluice-icon-button',
          'aria-label': labels.title,
          'aria-haspopup': 'dialog',
          'aria-expanded': isOpen,
          title: labels.title,
          onClick: () => {
            // What is to have the focus must be there before the dialog opens.
            flushSync(() => setOpen(true))
            dialog?.showModal()
          },
          children: <Icon of={Settings2} />,
        },
        {},
      )}
      <dialog
        ref={setDialog}
        className="sluice-settings"
        aria-labelledby={headingId}
        onClose={() => setOpen(false)}
        closedby="any"
      >
        {isOpen && <SettingsPanel onClose={close} headingId={headingId} />}
      </dialog>
    </>
  )
}
