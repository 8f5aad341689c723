/** Polls another process until its answer is as expected, up to a deadline. */
import { setTimeout } from "node:timers/promises"

const pauseMillis = 25

/** Returns the first expected answer; rejects with the last answer after the deadline. */
export const eventually = async <A>(
  what: string,
  ask: () => Promise<A> | A,
  fits: (answer: A) => boolean,
  millis = 15_000,
): Promise<A> => {
  const end = performance.now() + millis
  for (;;) {
    const answer = await ask()
    if (fits(answer)) return answer
    if (performance.now() > end) throw new Error(`${what}: not within ${millis} ms; last: ${JSON.stringify(answer)}`)
    await setTimeout(pauseMillis)
  }
}
