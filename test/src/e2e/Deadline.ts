/** Waiting for another process, within a bound: asked again and again until the answer fits. */
import { setTimeout } from "node:timers/promises"

const pauseMillis = 25

/** The first answer that fits; rejects with the last one when none does in time. */
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
