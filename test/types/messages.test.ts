import type { UIMessage } from 'ai'
import { expect, expectTypeOf, test } from 'vitest'
import type {
  ArgumentPreview,
  ChatMessage,
  ChatMessageInput,
  DynamicToolPart,
  NamedToolPart,
} from 'sluice/core'

// Checked by the compiler; that they compile is the test.
interface Weather extends Record<string, { input: unknown; output: unknown }> {
  weather: { input: { city: string }; output: { celsius: number } }
}

test('our messages are AI SDK’s, and AI SDK’s are taken as input', () => {
  expectTypeOf<ChatMessage[]>().toExtend<UIMessage[]>()
  expectTypeOf<ChatMessage<{ model: string }, { progress: number }>[]>().toExtend<
    UIMessage<
      { model: string },
      { progress: number; refusal: { text: string }; component: { name: string; props: unknown } }
    >[]
  >()
  expectTypeOf<UIMessage>().toExtend<ChatMessageInput>()
  expectTypeOf<ChatMessage>().toExtend<ChatMessageInput>()
})

test('a tool part is typed by name', () => {
  type Part = ChatMessage<unknown, never, Weather>['parts'][number]
  expectTypeOf<NamedToolPart<'weather', { city: string }, { celsius: number }>>().toExtend<Part>()
  expectTypeOf<DynamicToolPart>().toExtend<Part>()
})

test('a preview of arguments can’t be passed where arguments are wanted', () => {
  const run = (args: { city: string }): string => args.city
  const runAny = (args: Record<string, unknown>): number => Object.keys(args).length
  const runJson = (args: { [key: string]: string | number | boolean | null }): number =>
    Object.keys(args).length
  const preview = { __preview: 'for display only', value: { city: 'Os' } } as ArgumentPreview
  const attempts = [
    // @ts-expect-error -- typed arguments
    () => run(preview),
    // @ts-expect-error -- its value is unknown
    () => run(preview.value),
    // @ts-expect-error -- arguments by any name
    () => runAny(preview),
    // @ts-expect-error -- JSON
    () => runJson(preview),
  ]
  expect(attempts).toHaveLength(4)
})
