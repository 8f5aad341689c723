/**
 * Wrong secrets of several processes on the clock of the test: what is refused below, at and above each limit, until when, and what is
 * logged and audited about it.
 * Source: D-337.
 */
import { AuditRecords } from "@countersign/core"
import { UseLimitSettings } from "@countersign/core/ports"
import { type ChangeSet, Store } from "@countersign/core/store"
import { Context, Effect, Layer, Result } from "effect"
import { expect, it } from "vitest"
import { WrongSecrets } from "../../../packages/core/src/operation/WrongSecrets.ts"
import { type World, world } from "../../../packages/test/src/harness/World.ts"

type Process = WrongSecrets["Service"]
type Attempt = Parameters<Process["count"]>[0]

const counts = { WRONG_CLIENT_SECRETS: 4, WRONG_DEVICE_CODES: 3, WRONG_CREDENTIALS: 8 }
const guess: Attempt = { limit: "WRONG_CLIENT_SECRETS", subject: "client", source: "198.51.100.1" }
const elsewhere = { ...guess, source: "203.0.113.9" }

/** Runs with two processes that share the store of the world. */
const withProcesses = <A>(of: World, body: (one: Process, other: Process) => Effect.Effect<A>): Promise<A> =>
  of.run(
    Effect.gen(function* () {
      const limits = yield* UseLimitSettings
      const build = Layer.build(Layer.fresh(WrongSecrets.layer)).pipe(
        Effect.map((context) => Context.get(context, WrongSecrets)),
        Effect.provideService(UseLimitSettings, { ...limits, counts }),
      )
      return yield* body(yield* build, yield* build)
    }).pipe(Effect.scoped),
  )

/** Lets each process share what it has counted: the wall clock of a world does not wait. */
const shared = Effect.repeat(Effect.yieldNow, { times: 200 })

/** What an attempt is refused with, if it is. */
const refusal = (attempt: Effect.Effect<void, { readonly code: string; readonly details?: object }>) =>
  Effect.map(Effect.result(attempt), (result) =>
    Result.isFailure(result) ? { code: result.failure.code, ...result.failure.details } : undefined,
  )

const audited = (of: World) =>
  of.run(
    Effect.map(
      AuditRecords.use((records) => records.list({ operation: "CREDENTIAL_REFUSE" })),
      ({ data }) => data,
    ),
  )

const warnings = (of: World) => of.log().filter((line) => line.includes("too many wrong secrets"))

it("are refused from the limit on, for this subject and source, until their minute ends", async () => {
  await using pay = await world({ startsAt: "2026-11-21T12:00:30.500Z" })
  await withProcesses(pay, (one) =>
    Effect.gen(function* () {
      for (let attempts = 0; attempts < 4; attempts++) {
        expect(yield* refusal(one.admit(guess))).toBeUndefined()
        expect(yield* refusal(one.count(guess))).toBeUndefined()
      }
      const refused = { code: "RATE_LIMITED", reason: "WRONG_CLIENT_SECRETS", limit: 4, windowSeconds: 60 }
      expect(yield* refusal(one.admit(guess))).toEqual({ ...refused, retryAfterSeconds: 30 })
      expect(yield* refusal(one.count(guess))).toEqual({ ...refused, retryAfterSeconds: 30 })
      expect(yield* refusal(one.admit({ ...guess, subject: "another" }))).toBeUndefined()
      expect(yield* refusal(one.admit(elsewhere))).toBeUndefined()
      yield* Effect.promise(() => pay.clock.advance("29499 millis"))
      expect(yield* refusal(one.admit(guess))).toEqual({ ...refused, retryAfterSeconds: 1 })
      yield* Effect.promise(() => pay.clock.advance("1 millis"))
      expect(yield* refusal(one.admit(guess))).toBeUndefined()
    }),
  )
})

it("count against their source together, whatever they are secrets of", async () => {
  await using pay = await world()
  await withProcesses(pay, (one) =>
    Effect.gen(function* () {
      const token = { limit: "WRONG_CREDENTIALS", source: guess.source } as const
      for (let index = 0; index < 8; index++) {
        const attempt = index % 2 === 0 ? { ...guess, subject: `client ${index}` } : token
        expect(yield* refusal(one.admit(attempt))).toBeUndefined()
        expect(yield* refusal(one.count(attempt))).toBeUndefined()
      }
      const other = { ...guess, subject: "another" }
      expect(yield* refusal(one.admit(other))).toMatchObject({ reason: "WRONG_CREDENTIALS", limit: 8 })
      expect(yield* refusal(one.admit({ ...other, source: elsewhere.source }))).toBeUndefined()
    }),
  )
})

it("are never refused without a source, except device codes", async () => {
  await using pay = await world()
  const unplaced = { limit: "WRONG_CLIENT_SECRETS", subject: "client" } as const
  const device = { limit: "WRONG_DEVICE_CODES" } as const
  await withProcesses(pay, (one) =>
    Effect.gen(function* () {
      for (let attempts = 0; attempts < 9; attempts++) {
        expect(yield* refusal(one.admit(unplaced))).toBeUndefined()
        expect(yield* refusal(one.count(unplaced))).toBeUndefined()
      }
      for (let attempts = 0; attempts < 3; attempts++) expect(yield* refusal(one.count(device))).toBeUndefined()
      expect(yield* refusal(one.count(device))).toMatchObject({ reason: "WRONG_DEVICE_CODES", limit: 3 })
      expect(yield* refusal(one.admit(device))).toMatchObject({ reason: "WRONG_DEVICE_CODES", limit: 3 })
    }),
  )
})

it("are counted together by all processes, also those of a process that guesses no more", async () => {
  await using pay = await world()
  await withProcesses(pay, (one, other) =>
    Effect.gen(function* () {
      yield* Effect.ignore(other.count(guess))
      yield* shared
      for (let attempts = 0; attempts < 2; attempts++) yield* Effect.ignore(one.count(guess))
      yield* shared
      yield* Effect.ignore(other.count(guess))
      yield* shared
      expect(yield* refusal(other.admit(guess))).toMatchObject({ reason: "WRONG_CLIENT_SECRETS" })
      yield* Effect.promise(() => pay.clock.advance("1 second"))
      // This process has to read the sum of both once more.
      yield* Effect.ignore(one.count(elsewhere))
      yield* shared
      expect(yield* refusal(one.admit(guess))).toMatchObject({ reason: "WRONG_CLIENT_SECRETS" })
      expect(yield* refusal(one.admit({ ...guess, subject: "another" }))).toBeUndefined()
    }),
  )
})

it("are counted for all processes also while the process shares what it counted before", async () => {
  let meanwhile: Effect.Effect<void> = Effect.void
  const around = Layer.effect(
    Store,
    Effect.map(Store, (store) => ({
      ...store,
      commit: (set: ChangeSet) => Effect.andThen(meanwhile, store.commit(set)),
    })),
  )
  await using pay = await world({ around })
  await withProcesses(pay, (one, other) =>
    Effect.gen(function* () {
      meanwhile = Effect.suspend(() => {
        meanwhile = Effect.void
        return Effect.ignore(one.count(guess))
      })
      yield* Effect.ignore(one.count(guess))
      yield* shared
      for (let attempts = 0; attempts < 2; attempts++) {
        expect(yield* refusal(other.admit(guess))).toBeUndefined()
        yield* Effect.ignore(other.count(guess))
        yield* shared
      }
      expect(yield* refusal(other.admit(guess))).toMatchObject({ reason: "WRONG_CLIENT_SECRETS" })
    }),
  )
})

it("are shared again each second while a fourth of their limit is used, until their minute ends", async () => {
  const commits: Array<ReadonlyArray<string>> = []
  const around = Layer.effect(
    Store,
    Effect.map(Store, (store) => ({
      ...store,
      commit: (set: ChangeSet) => {
        const names = set.counters.map(({ delta, key }) => `${key.split(":")[2]} ${delta}`).toSorted()
        if (names.length > 0) commits.push(names)
        return store.commit(set)
      },
    })),
  )
  await using pay = await world({ around })
  const sharedBy = (attempt: Effect.Effect<void, unknown>) =>
    Effect.gen(function* () {
      commits.length = 0
      yield* Effect.ignore(attempt)
      yield* shared
      return [...commits]
    })
  await withProcesses(pay, (one) =>
    Effect.gen(function* () {
      const both = ["WRONG_CLIENT_SECRETS 1", "WRONG_CREDENTIALS 1"]
      const first = yield* sharedBy(one.count(guess))
      expect(first[0]).toEqual(both)
      yield* Effect.promise(() => pay.clock.advance("1 second"))
      expect(yield* sharedBy(one.count(elsewhere))).toEqual([
        ["WRONG_CLIENT_SECRETS 0", ...both],
        ["WRONG_CLIENT_SECRETS 0", "WRONG_CLIENT_SECRETS 0"],
      ])
      yield* Effect.promise(() => pay.clock.advance("1 minute"))
      expect((yield* sharedBy(one.count(guess)))[0]).toEqual(both)
    }),
  )
})

it("are logged once by each process and audited once by all, at the platform of the credential", async () => {
  await using pay = await world()
  const target = { id: "ApiToken:0198a0c0-0000-7000-8000-000000000001", platformId: pay.platformId, customerId: null }
  const guesses = (process: Process, number: number) =>
    Effect.repeat(Effect.andThen(Effect.ignore(process.count(guess, target)), shared), { times: number - 1 })
  await withProcesses(pay, (one, other) =>
    Effect.gen(function* () {
      yield* guesses(one, 3)
      expect(warnings(pay)).toHaveLength(0)
      yield* guesses(one, 3)
      expect(warnings(pay)).toHaveLength(1)
      yield* guesses(other, 1)
      expect(warnings(pay)).toHaveLength(2)
    }),
  )
  expect(warnings(pay).join()).toContain(target.id)
  expect(warnings(pay).join()).toContain(guess.source)
  expect(pay.log().join()).not.toContain("was not audited")
  const [record, ...more] = await audited(pay)
  expect(more).toEqual([])
  expect(record).toMatchObject({
    operation: "CREDENTIAL_REFUSE",
    outcome: "REFUSED",
    details: { rule: "WRONG_CLIENT_SECRETS", limit: 4 },
    target: target.id,
  })
})

it("are logged without an audit if no credential has their subject, and again in the next minute", async () => {
  await using pay = await world()
  await withProcesses(pay, (one) =>
    Effect.gen(function* () {
      for (let attempts = 0; attempts < 5; attempts++) yield* Effect.ignore(one.count(guess))
      yield* Effect.promise(() => pay.clock.advance("1 minute"))
      for (let attempts = 0; attempts < 5; attempts++) yield* Effect.ignore(one.count({ ...guess }))
      yield* shared
    }),
  )
  expect(warnings(pay)).toHaveLength(2)
  expect(warnings(pay).join()).toContain("unknown")
  expect(await audited(pay)).toEqual([])
})
