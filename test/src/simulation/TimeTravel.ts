/**
 * Time travel of a simulated run: a client of the sandbox moves business time, while real time stands still and workers go on. Leases,
 * back-off and the retention of keys follow real time, all else business time.
 * Source: D-007, D-100 to D-103.
 */
import type { Answers } from "./Answers.ts"
import { bodyOf, isDone } from "./ClientRequests.ts"
import type { Pay } from "./World.ts"

/** Moves business time by this number of seconds, or less far if a fault ends it, and reports a clock that went elsewhere. */
export const travel = async (pay: Pay, { problems }: Pick<Answers, "problems">, seconds: number): Promise<void> => {
  const [before, wallBefore] = [await pay.clock.now(), await pay.wallNow()]
  const reply = await pay.send("POST", "/sandbox/clock/advance", { body: { seconds } }).catch(() => undefined)
  const [now, wallNow] = [await pay.clock.now(), await pay.wallNow()]
  const shown = new Date(now).toISOString()
  if (wallNow !== wallBefore) problems.push("a move of business time has moved real time")
  if (now < before || now > before + seconds * 1000)
    problems.push(`the clock was moved by ${seconds} s and is ${shown}`)
  if (reply === undefined || !isDone(reply)) return
  const { isComplete, target } = bodyOf(reply)
  if (isComplete === true && now !== Date.parse(String(target)))
    problems.push(`the clock is ${shown}, and was moved to ${String(target)}`)
}
