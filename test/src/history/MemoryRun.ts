/** A recorded run on a service in memory, whose calls of the store interleave by the seed. A store may be wrapped in a wrong one. */

import type { Store } from "@countersign/core/store"
import { harness } from "@countersign/test"
import type { Layer } from "effect"
import { randomInts } from "../adapter-postgres/Histories.ts"
import type { Body } from "../e2e/Client.ts"
import { isLate } from "../simulation/RecordEvents.ts"
import type { Ask } from "./Asking.ts"
import { newClients } from "./Clients.ts"
import { eventProblems } from "./EventLaws.ts"
import { newHistory } from "./History.ts"

export interface MemoryRunOptions {
  readonly seed: number
  readonly around?: Layer.Layer<Store, never, Store>
  readonly rounds?: number
}

const clientCount = 6
const stepsPerRound = 12

export const memoryRun = async ({ around, rounds = 3, seed }: MemoryRunOptions) => {
  const randomInt = randomInts(seed)
  await using pay = await harness({
    seed,
    interleave: seed,
    tape: false,
    signsWebhooks: false,
    ...(around === undefined ? {} : { around }),
  })
  const ask: Ask = async (method, path, { body, key, token } = {}) => {
    const reply = await pay.send(method, path, {
      ...(token === undefined ? {} : { as: { token } }),
      ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
      ...(body === undefined ? {} : { body }),
    })
    await pay.settle()
    return reply.status >= 500 ? undefined : { status: reply.status, body: reply.body as Body }
  }
  const history = newHistory()
  const clients = await newClients({ ask, history, randomInt })
  for (let round = 0; round < rounds; round++) {
    const life = async () => {
      for (let left = stepsPerRound; left > 0; left--) await clients.step()
    }
    // The clock of a world starts at noon.
    const midnight = clients.overMidnight(() => pay.clock.advance("13 hours"))
    await Promise.all([...Array.from({ length: clientCount }, life), midnight])
    await pay.clock.advance("11 hours")
    clients.forgetKeys()
  }
  await pay.clock.advance("1 hour")
  return {
    ...history.counts(),
    problems: [
      ...history.problems(),
      ...eventProblems(
        pay.webhooks.received.map((one) => ({ ...one, isLate: isLate(one) })),
        clients,
      ),
    ],
  }
}
