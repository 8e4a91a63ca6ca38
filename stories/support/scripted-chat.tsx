import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { Chat, type Suggestion } from 'sluice'
import type { ChatMessageInput } from 'sluice/core'
import { createPlayer, type Player, type ScriptStep } from './scripted-stream.ts'
import './stories.css'

const speeds = [0.25, 1, 4, 20]

/** Play, pause, one event, and how fast: the script is in the viewer's hands. */
function PlayerBar({ player }: { readonly player: Player }): ReactNode {
  const { isPlaying, speed, at } = useSyncExternalStore(player.subscribe, player.getSnapshot)
  return (
    <div className="story-player" role="group" aria-label="Script">
      <button type="button" onClick={isPlaying ? player.pause : player.play}>
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <button type="button" onClick={player.step}>
        Step
      </button>
      <label>
        Speed{' '}
        <select
          value={speed}
          onChange={(event) => player.setSpeed(Number(event.currentTarget.value))}
        >
          {speeds.map((value) => (
            <option key={value} value={value}>
              {value}×
            </option>
          ))}
        </select>
      </label>
      <output>{at} events</output>
    </div>
  )
}

/** Props of {@link ScriptedChat}. */
export interface ScriptedChatProps {
  /** The n-th request is answered with the n-th script. */
  readonly scripts: readonly (readonly ScriptStep[])[]
  readonly messages?: readonly ChatMessageInput[]
  readonly suggestions?: readonly Suggestion[]
  /** Events come this many times faster than they were written down. */
  readonly speed?: number
  /** Stop before this event of the first answer. */
  readonly pauseAt?: number
}

/** A whole chat whose model is a script. */
export function ScriptedChat(props: ScriptedChatProps): ReactNode {
  const { scripts, messages = [], suggestions = [], speed = 1, pauseAt } = props
  const [player] = useState(() => createPlayer(scripts, { speed }))

  useEffect(
    () =>
      player.subscribe(() => {
        const { at, isPlaying } = player.getSnapshot()
        if (isPlaying && at === pauseAt) player.pause()
      }),
    [player, pauseAt],
  )
  return (
    <div className="story-page">
      <PlayerBar player={player} />
      <Chat transport={player.transport} messages={messages} suggestions={suggestions} />
    </div>
  )
}
