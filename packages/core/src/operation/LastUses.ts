/**
 * Notes when secrets authenticate requests: by the hour, in counters, in a batch after the requests. A request costs one look-up in memory.
 * Source: D-343; architecture, "A change set is the only way to write" (last-used times are counters).
 */
import { Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import { answer } from "../decision/Decision.ts"
import { hourMillis, lastUseCounter } from "../model/platform/StoredSecret.ts"
import type { WallTime } from "../ports/WallTime.ts"
import { CurrentCaller, tenant } from "../store/Caller.ts"
import type { Store } from "../store/Store.ts"
import * as Operation from "./Operation.ts"

/** How long uses are collected before they are written. A process that dies loses as much. */
const delayMillis = 30_000

interface Use {
  readonly platformId: string
  readonly secretId: string
  readonly hour: number
}

/** Moves the counter to the hour, unless another process did. */
const write = ({ hour, platformId, secretId }: Use) => {
  const key = lastUseCounter(secretId)
  return Operation.run({
    name: "LastUses.write",
    load: (read) => Effect.map(read({ counters: [key] }), ({ counter }) => ({ present: counter(key) })),
    decide: ({ present }) =>
      answer(200, null, present >= hour ? {} : { counters: [{ key, delta: hour - present, expected: present }] }),
  }).pipe(Effect.provideService(CurrentCaller, tenant(platformId)))
}

/** Returns the function that notes a use at a time (ms). Its writes end with the scope. */
export const make = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()
  let noted = { hour: 0, secrets: new Set<string>() }
  let pending: Array<Use> = []

  const flush = Effect.gen(function* () {
    yield* Effect.sleep(delayMillis)
    const uses = pending
    pending = []
    // A use that cannot be written now is made up for by the use of the next hour.
    yield* Effect.forEach(uses, (use) => Effect.ignore(write(use)), { discard: true })
  }).pipe(Effect.provideContext(services))

  return (platformId: string, secretId: string, now: number): Effect.Effect<void> => {
    const hour = Math.floor(now / hourMillis)
    if (noted.hour !== hour) noted = { hour, secrets: new Set() }
    if (noted.secrets.has(secretId)) return Effect.void
    noted.secrets.add(secretId)
    pending.push({ platformId, secretId, hour })
    return pending.length === 1 ? Effect.asVoid(Effect.forkIn(flush, scope)) : Effect.void
  }
})
