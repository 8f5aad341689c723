/** Requests to the sandbox's clock over HTTP. */
import type { SandboxClock, SandboxClockAdvance } from "@countersign/core/models"
import type { Harness, Reply } from "../../../packages/test/src/harness/Harness.ts"

export const send = (pay: Harness, body: unknown): Promise<Reply> =>
  pay.send("POST", "/sandbox/clock/advance", { body })

/** Advances the clock and expects status 200. */
export const advance = async (pay: Harness, body: unknown): Promise<SandboxClockAdvance> => {
  const reply = await send(pay, body)
  if (reply.status !== 200) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body as SandboxClockAdvance
}

export const clock = async (pay: Harness): Promise<SandboxClock> =>
  (await pay.send("GET", "/sandbox/clock")).body as SandboxClock

/** The `jobsLeft` of a platform without unfinished work. */
export const nothing = { running: 0, waiting: 0, parked: 0 }
