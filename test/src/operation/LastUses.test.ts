/** The last use of a secret that several processes note at the same time. Source: D-343. */
import { Store } from "@countersign/core/store"
import { Effect, Latch, Layer } from "effect"
import { expect, it } from "vitest"
import { hourMillis, lastUseCounter } from "../../../packages/core/src/model/platform/StoredSecret.ts"
import * as LastUses from "../../../packages/core/src/operation/LastUses.ts"
import { world } from "../../../packages/test/src/harness/World.ts"

const secretId = "Secret:a"
const turns = Effect.repeat(Effect.yieldNow, { times: 20 })

const key = lastUseCounter(secretId)

/** All processes read the counter before one of them writes it. */
const readingTogether = (processes: number) => {
  const haveRead = Latch.makeUnsafe()
  let reads = 0
  return Layer.effect(
    Store,
    Effect.map(Store, (store) =>
      Store.of({
        ...store,
        read: (query) =>
          Effect.tap(store.read(query), () => {
            if (query.counters?.includes(key) !== true) return Effect.void
            reads += 1
            if (reads >= processes) haveRead.openUnsafe()
            return haveRead.await
          }),
      }),
    ),
  )
}

it.each([
  ["of one hour", [0, 0, 0], 0],
  ["of several hours", [2, 0, 1], 2],
  ["of several hours, the last one first", [0, 1, 2], 2],
] as const)("is the latest one, however many processes write uses %s at once", async (_, hours, latest) => {
  await using pay = await world({ around: readingTogether(hours.length) })
  const now = await pay.clock.now()
  const lastUse = await pay.run(
    Effect.gen(function* () {
      for (const hour of hours) {
        const note = yield* LastUses.make
        yield* note(pay.platformId, secretId, now + hour * hourMillis)
      }
      yield* Effect.promise(() => pay.clock.advance("30 seconds"))
      yield* Effect.repeat(turns, { times: 20 })
      const { counter } = yield* Store.use((store) => store.read({ counters: [key] }))
      return counter(key)
    }).pipe(Effect.scoped),
  )
  expect(lastUse).toBe(Math.floor(now / hourMillis) + latest)
})
