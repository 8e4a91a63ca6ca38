import type { Decorator } from '@storybook/react-vite'
import './stories.css'

/** A page's column, for parts that are shown without a thread. */
export const inColumn: Decorator = (Story) => (
  <main className="story-column">
    <Story />
  </main>
)
