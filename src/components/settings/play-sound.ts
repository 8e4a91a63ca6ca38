'use client'

let context: AudioContext | undefined

/** Tones in hertz, one after another: up for an answer that is complete, down for one that failed. */
const melodies = { complete: [587, 784], failed: [392, 311] } as const

/** Plays a short, quiet tone. Silent where the browser gives no sound without a press, or has none. */
export async function playSound(name: keyof typeof melodies): Promise<void> {
  context ??= new AudioContext()
  await context.resume()
  const from = context.currentTime
  for (const [index, frequency] of melodies[name].entries()) {
    const at = from + index * 0.11
    const tone = context.createOscillator()
    const volume = context.createGain()
    tone.type = 'sine'
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0, at)
    volume.gain.linearRampToValueAtTime(0.08, at + 0.015)
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.2)
    tone.connect(volume).connect(context.destination)
    tone.start(at)
    tone.stop(at + 0.2)
  }
}
