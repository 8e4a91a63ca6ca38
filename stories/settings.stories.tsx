import type { Meta, StoryObj } from '@storybook/react-vite'
import { useState } from 'react'
import { AnnouncerProvider, createSettings, SettingsButton, SettingsProvider } from 'sluice'
import { expect } from 'storybook/test'
import { inColumn } from './support/column.tsx'

/** What a reader chooses once: how much is spoken, the pace of the text, motion, sounds. */
function Choices() {
  const [settings] = useState(() => createSettings({ key: 'sluice:story-settings' }))
  return (
    <SettingsProvider settings={settings}>
      <AnnouncerProvider>
        <SettingsButton />
      </AnnouncerProvider>
    </SettingsProvider>
  )
}

const meta = { title: 'Settings', component: Choices, decorators: [inColumn] } satisfies Meta<
  typeof Choices
>

export default meta
type Story = StoryObj<typeof meta>

export const Closed: Story = {}

export const Open: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Settings' }))
    await expect(canvas.getByRole('dialog', { name: 'Settings' })).toBeVisible()
    const sounds = canvas.getByRole('switch', { name: 'Sounds when an answer ends' })
    const before = (sounds as HTMLInputElement).checked
    await userEvent.click(sounds)
    await expect(sounds).toHaveProperty('checked', !before)
    await userEvent.click(sounds)
    await expect(canvas.getByRole('radio', { name: /The beginning/ })).toBeChecked()
  },
}
