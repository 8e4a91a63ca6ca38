import { describe, expect, test } from 'vitest'
import { afterScroll, isAtEnd, type Following } from '../../src/react/following.ts'

const at = (top: number, height = 1000, viewport = 400) => ({ top, height, viewport })
const following: Following = { isFollowing: true, place: at(600) }
const left: Following = { isFollowing: false, place: at(300) }

describe('leaving', () => {
  // B138
  test.for([1, 40, 600])('upward by %d px ends it', (pixels) => {
    const { isFollowing } = afterScroll(following, at(600 - pixels - 1))
    expect(isFollowing).toBe(false)
  })

  // B139
  test('a lower top because the content changed is no wish', () => {
    expect(afterScroll(following, at(560, 1200)).isFollowing).toBe(true)
  })

  test('a lower top while the scrollbar is dragged is one, whatever the content does', () => {
    expect(afterScroll(following, at(560, 1200), true).isFollowing).toBe(false)
    expect(afterScroll(following, at(500, 900), true).isFollowing).toBe(true)
  })

  test('a shorter page that moves the view to its end is no wish', () => {
    expect(afterScroll(following, at(500, 900)).isFollowing).toBe(true)
  })

  test('a taller viewport, as when a keyboard closes, is no wish', () => {
    expect(afterScroll(following, at(500, 1000, 500)).isFollowing).toBe(true)
  })

  // B143
  test('a fraction of a pixel counts as the end', () => {
    expect(isAtEnd(at(599.4))).toBe(true)
    expect(afterScroll(following, at(599.4)).isFollowing).toBe(true)
  })
})

describe('coming back', () => {
  test("the reader's own scroll to the end", () => {
    expect(afterScroll(left, at(600)).isFollowing).toBe(true)
  })

  test('nearly there is not there', () => {
    expect(afterScroll(left, at(590)).isFollowing).toBe(false)
  })

  test('closeness alone never: the end came nearer by layout', () => {
    expect(afterScroll(left, at(300, 700)).isFollowing).toBe(false)
  })

  test('content that grew above and pushed the view down is no wish', () => {
    const near: Following = { isFollowing: false, place: at(599 - 1) }
    expect(afterScroll(near, at(798, 1200)).isFollowing).toBe(false)
  })
})
