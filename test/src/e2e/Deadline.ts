/** Polls another process until its answer is as expected, as long as the answer changes. */
import { setTimeout } from "node:timers/promises"

const pauseMillis = 25

/**
 * Returns the first expected answer. Rejects with the last answer after it was the same for so long: a slow machine needs longer, and a
 * process that hangs makes no progress.
 */
export const eventually = async <A>(
  what: string,
  ask: () => Promise<A> | A,
  fits: (answer: A) => boolean,
  millis = 60_000,
): Promise<A> => {
  let last: string | undefined
  let end = performance.now() + millis
  for (;;) {
    const answer = await ask()
    if (fits(answer)) return answer
    const text = JSON.stringify(answer)
    if (text !== last) end = performance.now() + millis
    last = text
    if (performance.now() > end) throw new Error(`${what}: no progress within ${millis} ms; last: ${text}`)
    await setTimeout(pauseMillis)
  }
}
