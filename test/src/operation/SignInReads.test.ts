/** How the reads of a request confirm its deferred sign-in: what each sends, returns and refuses. Source: D-495. */
import { CurrentCaller, tenant } from "@countersign/core"
import type { AnyStored, ReadQuery, ReadResult } from "@countersign/core/store"
import { Effect, Layer, Result } from "effect"
import { describe, expect, it } from "vitest"
import { ServiceError } from "../../../packages/core/src/foundation/errors/ServiceError.ts"
import * as SignIns from "../../../packages/core/src/operation/DeferredSignIn.ts"
import { Store } from "../../../packages/core/src/store/Store.ts"

const caller = tenant("PlatformConfig:p")
const holderRef = { kind: "ApiToken", id: "ApiToken:t" } as const
const card = { kind: "Card", id: "Card:c" } as const
const holder = { kind: "ApiToken", id: "ApiToken:t" } as AnyStored
const replay = { status: 200 } as ReadResult["replay"]

/** A request with a pending sign-in, and what its store and its check were asked. */
const pending = (refusal?: ServiceError) => {
  const sent: Array<ReadQuery> = []
  const resolved: Array<string> = []
  const checked: Array<readonly [found: string | undefined, isReplay: boolean]> = []
  let storedAnswers = 0
  const signIn: SignIns.DeferredSignIn = {
    caller,
    claim: { key: "token:hash", scope: "global" } as never,
    holder: holderRef,
    check: (found, isReplay) =>
      Effect.flatMap(isReplay, (is) => {
        checked.push([found?.id, is])
        return refusal === undefined ? Effect.void : Effect.fail(refusal)
      }),
    hasStoredAnswer: Effect.sync(() => {
      storedAnswers += 1
      return true
    }),
    outcome: "pending",
  }
  const found = {
    record: (_kind: string, id: string) => ({ id: `stored ${id}` }),
    replay: undefined,
    holder,
  } as unknown
  const store = Layer.mock(Store, {
    aheadMillis: () => 0,
    read: (query) =>
      Effect.sync(() => {
        sent.push(query)
        return { ...(found as ReadResult), ...(query.replay === "answered" ? { replay } : {}) }
      }),
    resolve: ({ key }) =>
      Effect.sync(() => {
        resolved.push(key)
        return holder
      }),
  })
  const as = <A, E>(effect: Effect.Effect<A, E, CurrentCaller | Store>, by = caller) =>
    Effect.runPromise(
      Effect.result(effect).pipe(
        Effect.provideService(CurrentCaller, by),
        Effect.provideService(SignIns.CurrentSignIn, signIn),
        Effect.provide(store),
      ),
    )
  const read = (query: ReadQuery, by = caller) =>
    as(
      Store.use((one) => SignIns.reads(one)(query)),
      by,
    )
  const confirm = () => as(Store.use(SignIns.confirmCurrent))
  return { signIn, sent, resolved, checked, read, confirm, storedAnswers: () => storedAnswers }
}

const tokenRefused = () => new ServiceError({ code: "UNAUTHORIZED", message: "no" })

describe("the first read of a request", () => {
  it("also reads what holds the credential, and confirms it once", async () => {
    const request = pending()
    const result = Result.getOrThrow(await request.read({ records: [card] }))
    expect(request.sent).toEqual([{ records: [card], holder: "token:hash" }])
    expect(result.record("Card", card.id)).toEqual({ id: "stored Card:c" })
    expect(result.record("ApiToken", holderRef.id)).toEqual({ id: "stored ApiToken:t" })
    expect(request.signIn.outcome).toBe("confirmed")
    await request.read({ balances: ["a"] })
    await request.confirm()
    expect([request.sent.at(-1), request.checked, request.resolved]).toEqual([
      { balances: ["a"] },
      [[holder.id, true]],
      [],
    ])
  })

  it("reads the record that holds the credential once if the query names it too", async () => {
    const request = pending()
    const other = { kind: "ApiToken", id: "ApiToken:other" } as const
    const result = Result.getOrThrow(await request.read({ records: [card, holderRef, other] }))
    expect(request.sent).toEqual([{ records: [card, other], holder: "token:hash" }])
    expect(result.record("ApiToken", holderRef.id)).toBe(holder)
    expect(result.record("ApiToken", other.id)).toEqual({ id: "stored ApiToken:other" })
    expect(result.record("Card", holderRef.id)).toEqual({ id: "stored ApiToken:t" })
  })

  it("knows from its own answer whether the key has one, and asks only where the read has no key", async () => {
    for (const [query, isReplay, asks] of [
      [{ replay: "new" }, false, 0],
      [{ replay: "answered" }, true, 0],
      [{}, true, 1],
    ] as const) {
      const request = pending()
      await request.read(query)
      expect([query, request.checked, request.storedAnswers()]).toEqual([query, [[holder.id, isReplay]], asks])
    }
  })

  it("fails with the refusal, as does everything after it, without another look-up", async () => {
    const refusal = tokenRefused()
    const request = pending(refusal)
    expect(await request.read({ records: [card] })).toEqual(Result.fail(refusal))
    expect(await request.confirm()).toEqual(Result.fail(refusal))
    expect(await request.read({})).toEqual(Result.fail(refusal))
    expect([request.sent.length, request.resolved, request.checked.length]).toEqual([1, [], 1])
  })

  it("of another caller confirms the sign-in by a trip of its own", async () => {
    const request = pending()
    const other = tenant("PlatformConfig:other")
    await request.read({ records: [card] }, other)
    expect([request.sent, request.resolved]).toEqual([[{ records: [card] }], ["token:hash"]])
    const refused = pending(tokenRefused())
    expect(Result.isFailure(await refused.read({ records: [card] }, other))).toBe(true)
    expect(refused.sent).toEqual([])
  })
})

describe("a commit without a read before it", () => {
  it("confirms the sign-in once, by a trip of its own", async () => {
    const request = pending()
    await request.confirm()
    await request.confirm()
    expect([request.resolved, request.checked, request.signIn.outcome]).toEqual([
      ["token:hash"],
      [[holder.id, true]],
      "confirmed",
    ])
  })

  it("is refused with the refusal of the sign-in, which stays", async () => {
    const refusal = tokenRefused()
    const request = pending(refusal)
    expect(await request.confirm()).toEqual(Result.fail(refusal))
    expect(await request.confirm()).toEqual(Result.fail(refusal))
    expect(request.resolved).toEqual(["token:hash"])
  })
})
