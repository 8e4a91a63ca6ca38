import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectMessage, isTerminal, readModelStream, type StreamEvent } from 'sluice/core'
import { sample } from '../support/sample.ts'
import { samplesOf, vendors } from './samples.ts'

// Whatever comes: the reader never throws, always ends, ends once, and holds no more than it may.

const numRuns = process.env['SLUICE_FULL'] === '1' ? 5_000 : 150
const limits = { line: 4_096, event: 8_192, buffer: 16_384 }

const response = (chunks: readonly Uint8Array[], contentType: string): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    }),
    { headers: { 'content-type': contentType } },
  )
