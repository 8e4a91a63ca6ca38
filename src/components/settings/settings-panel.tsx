'use client'
import { X } from 'lucide-react'
import { use, useId, type ReactElement, type ReactNode } from 'react'
import type { Verbosity } from '../../announcer/announcer.ts'
import { useLabels } from '../../react/labels/context.tsx'
import { useSettings } from '../../react/settings.ts'
import { AnnouncerContext } from '../../react/use-announcer.ts'
import { Icon } from '../icon.tsx'

const verbosities: readonly Verbosity[] = ['off', 'status', 'balanced', 'full']

interface SwitchProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

function Switch({ label, checked, onChange }: SwitchProps): ReactNode {
  return (
    <label className="sluice-setting">
      <span>{label}</span>
      <input
        type="checkbox"
        role="switch"
        className="sluice-switch"
        checked={checked}
        aria-checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    </label>
  )
}

function Command(props: { readonly label: string; readonly onPress: () => void }): ReactNode {
  return (
    <button type="button" className="sluice-link-button" onClick={props.onPress}>
      {props.label}
    </button>
  )
}

/** Props of {@link SettingsPanel}. */
export interface SettingsPanelProps {
  /** Is called before a command of speech runs, and by Close. */
  readonly onClose: () => void
  /** Id for the heading. */
  readonly headingId: string
}

/** What a reader can choose, and what they can ask the announcer for. */
export function SettingsPanel({ onClose, headingId }: SettingsPanelProps): ReactElement {
  const labels = useLabels().settings
  const [settings, change] = useSettings()
  const announcer = use(AnnouncerContext)
  const group = useId()
  const after = (command: () => unknown) => (): void => {
    onClose()
    command()
  }
  return (
    <>
      <header className="sluice-settings-head">
        <h2 id={headingId}>{labels.title}</h2>
        <button
          type="button"
          className="sluice-icon-button"
          aria-label={labels.close}
          title={labels.close}
          onClick={onClose}
        >
          <Icon of={X} />
        </button>
      </header>
      <fieldset className="sluice-settings-group">
        <legend>{labels.speech}</legend>
        {verbosities.map((verbosity) => (
          <label key={verbosity} className="sluice-setting">
            <span>{labels.verbosity[verbosity]}</span>
            <input
              type="radio"
              className="sluice-radio"
              name={group}
              checked={settings.verbosity === verbosity}
              onChange={() => change({ verbosity })}
            />
          </label>
        ))}
        {announcer !== undefined && (
          <div className="sluice-settings-commands">
            <Command label={labels.repeat} onPress={after(announcer.repeat)} />
            <Command label={labels.readOn} onPress={after(announcer.readOn)} />
            <Command label={labels.goToLatest} onPress={after(announcer.goToLatest)} />
          </div>
        )}
      </fieldset>
      <fieldset className="sluice-settings-group">
        <legend>{labels.display}</legend>
        <Switch
          label={labels.smooth}
          checked={settings.reveal === 'smooth'}
          onChange={(checked) => change({ reveal: checked ? 'smooth' : 'live' })}
        />
        <Switch
          label={labels.reducedMotion}
          checked={settings.motion === 'reduced'}
          onChange={(checked) => change({ motion: checked ? 'reduced' : 'system' })}
        />
        <Switch
          label={labels.sounds}
          checked={settings.sounds}
          onChange={(sounds) => change({ sounds })}
        />
      </fieldset>
    </>
  )
}
