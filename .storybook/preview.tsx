import type { Decorator, Preview } from '@storybook/react-vite'
import { StrictMode, useLayoutEffect, type ReactNode } from 'react'
import { LabelsProvider, type Labels } from 'sluice'
import { configure } from 'storybook/test'
import { ar, de, en, ja } from 'sluice/labels'
import 'sluice/styles.css'
import './preview.css'

// A play function waits for what it names, however slow the machine.
configure({ asyncUtilTimeout: 15_000 })

const languages: Readonly<Record<string, Labels>> = { en, de, ja, ar }

interface PageProps {
  readonly theme: string
  readonly locale: string
  readonly children: ReactNode
}

function Page({ theme, locale, children }: PageProps): ReactNode {
  useLayoutEffect(() => {
    const { documentElement: html } = document
    html.style.colorScheme = theme === 'system' ? 'light dark' : theme
    html.lang = locale
    html.dir = locale === 'ar' ? 'rtl' : 'ltr'
  }, [theme, locale])
  return (
    <StrictMode>
      <LabelsProvider labels={languages[locale] ?? en}>{children}</LabelsProvider>
    </StrictMode>
  )
}

const withPage: Decorator = (Story, { globals }) => (
  <Page theme={String(globals['theme'])} locale={String(globals['locale'])}>
    <Story />
  </Page>
)

const preview: Preview = {
  decorators: [withPage],
  parameters: { layout: 'fullscreen' },
  initialGlobals: { theme: 'system', locale: 'en' },
  globalTypes: {
    theme: {
      description: 'Colour scheme',
      toolbar: { icon: 'contrast', items: ['system', 'light', 'dark'], dynamicTitle: true },
    },
    locale: {
      description: 'Language of the labels',
      toolbar: {
        icon: 'globe',
        dynamicTitle: true,
        items: [
          { value: 'en', title: 'English' },
          { value: 'de', title: 'Deutsch' },
          { value: 'ja', title: '日本語' },
          { value: 'ar', title: 'العربية' },
        ],
      },
    },
  },
}

export default preview
