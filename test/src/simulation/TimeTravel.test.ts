/**
 * The auditor finds a clock of the sandbox that went elsewhere, in a run that was corrupted for it.
 * Source: D-007, D-100.
 */
import { it } from "vitest"
import { answering, finds, unheard, withBody } from "./Corruptions.ts"
import type { Pay } from "./World.ts"

const timeout = { timeout: 120_000 }

const path = "/sandbox/clock/advance"

it("finds a clock that did not move, and one that names another time", timeout, async () => {
  const [target, elsewhere] = ["2026-11-21T12:00:07Z", "2100-01-01T00:00:00Z"]
  await finds(
    unheard("POST", /^\/sandbox\/clock\/advance$/u, { status: 200, body: { isComplete: true, target } }),
    /the clock is \S+, and was moved to 2026-11-21T12:00:07Z/u,
  )
  const renamed = answering(
    (_, asked) => asked === path,
    (reply) => withBody(reply, { target: elsewhere }),
  )
  await finds(renamed, /the clock is \S+, and was moved to 2100-01-01T00:00:00Z/u)
})

it("finds a move of business time that goes too far, or moves real time", timeout, async () => {
  const moved = (pay: Pay) => {
    const { send } = pay
    const answered: typeof send = async (...request) => {
      if (request[1] === path) await pay.clock.advance("2 days")
      return send(...request)
    }
    Object.assign(pay, { send: answered })
  }
  await finds(moved, /the clock was moved by \d+ s and is /u, /a move of business time has moved real time/u)
})
