/** Calls and commits that meet a fault: whether they happen, and what their caller sees. Source: D-480. */
import { CurrentCaller, tenant } from "@countersign/core"
import type { CommitOutcome, ReadResult } from "@countersign/core/store"
import { Cause, Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { faultyCalls, faultyStore } from "../../../packages/core/src/sandbox/FaultyCalls.ts"

describe("a faulty call", () => {
  const called = (fault: Parameters<typeof Effect.succeed>[0]) => {
    let calls = 0
    const call = Effect.sync(() => {
      calls += 1
      return "answer"
    })
    const faultOf = Effect.succeed(fault as "ERROR" | undefined)
    return { exit: Effect.runSyncExit(faultyCalls("the cause", faultOf)(call)), calls }
  }

  it.each([
    ["without a fault answers", undefined, "answer", 1],
    ["whose request is lost is unknown, and never made", "LOST_REQUEST", { _tag: "Unknown", cause: "the cause" }, 0],
    ["whose answer is lost is unknown, and made", "LOST_ANSWER", { _tag: "Unknown", cause: "the cause" }, 1],
    ["that is slow is asked again at that time, and not made", 1234, { _tag: "Later", at: 1234 }, 0],
  ] as const)("%s", (_, fault, answer, count) => {
    expect(called(fault)).toEqual({ exit: Exit.succeed(answer), calls: count })
  })

  it("that fails is a defect with its cause, and not made", () => {
    const { calls, exit } = called("ERROR")
    expect(calls).toBe(0)
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(new Error("the cause"))
  })
})

describe("a faulty store", () => {
  type Store = Parameters<typeof faultyStore>[0]
  type Set = Parameters<Store["commit"]>[0]
  type Fault = "CONFLICT" | "FAIL_BEFORE" | "FAIL_AFTER" | undefined
  const setOf = (operationId: string) => ({ operationId }) as Set
  const storeWith = (faults: Array<Fault>, ofRead?: () => boolean) => {
    const committed: Array<string> = []
    const inner: Pick<Store, "read" | "commit"> = {
      read: () => Effect.succeed(found),
      commit: ({ operationId }) =>
        Effect.sync((): CommitOutcome => {
          committed.push(operationId)
          return { _tag: "Conflict", on: "the store" }
        }),
    }
    const ofCommit = () => Effect.sync(() => faults.shift())
    const made = faultyStore(inner as Store, {
      cause: "the cause",
      ofCommit,
      ...(ofRead === undefined ? {} : { ofRead }),
    })
    return { store: made, committed }
  }
  const found = { owner: () => undefined } as Partial<ReadResult> as ReadResult
  const ended = <A, E>(effect: Effect.Effect<A, E, CurrentCaller>) =>
    Effect.runSync(Effect.result(Effect.provideService(effect, CurrentCaller, tenant("Platform:1"))))
  const unavailable = (unknown: boolean) => ({ _tag: "Failure", failure: { _tag: "StoreUnavailable", unknown } })

  it("commits a set without a fault", () => {
    const { committed, store } = storeWith([undefined])
    ended(store.commit(setOf("one")))
    expect(committed).toEqual(["one"])
  })

  it("answers a conflict, or fails before the commit, without it", () => {
    const { committed, store } = storeWith(["CONFLICT", "FAIL_BEFORE", undefined])
    expect(ended(store.commit(setOf("one")))).toMatchObject({ success: { _tag: "Conflict", on: "the cause" } })
    expect(ended(store.commit(setOf("one")))).toMatchObject(unavailable(true))
    expect(committed).toEqual([])
    ended(store.commit(setOf("one")))
    expect(committed).toEqual(["one"])
  })

  it("fails after the commit, and then takes the same set without a further fault", () => {
    const { committed, store } = storeWith(["FAIL_AFTER", "CONFLICT"])
    expect(ended(store.commit(setOf("one")))).toMatchObject(unavailable(true))
    ended(store.commit(setOf("one")))
    expect(committed).toEqual(["one", "one"])
    expect(ended(store.commit(setOf("two")))).toMatchObject({ success: { _tag: "Conflict" } })
  })

  it("fails reads when it is to, which are certainly not applied", () => {
    type Query = Parameters<Store["read"]>[0]
    const query = {} as Query
    expect(ended(storeWith([]).store.read(query))).toMatchObject({ success: found })
    expect(ended(storeWith([], () => false).store.read(query))).toMatchObject({ success: found })
    expect(ended(storeWith([], () => true).store.read(query))).toMatchObject(unavailable(false))
  })
})
