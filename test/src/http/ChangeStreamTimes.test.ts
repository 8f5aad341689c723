/**
 * What a stream of changes does as time passes: it lets a reader go that takes nothing for 30 seconds, and keeps one that reads. Where a
 * database cannot notify, each interval may have brought changes of other processes.
 * Source: D-453.
 */
import { ChangeWatch, CurrentCaller, tenant } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { ChangeSignal, type ChangeTopic, changeTopics } from "@countersign/core/store"
import { Effect, Exit, Layer, Scope } from "effect"
import { HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { ChangeStreamLimits, ChangeStreams } from "../../../packages/adapter-http/src/middleware/ChangeStreams.ts"
import { make as makeNotices, watching } from "../../../packages/adapter-postgres/src/ChangeNotices.ts"
import type { Connection } from "../../../packages/adapter-postgres/src/connection/Connection.ts"

const platformId = "PlatformConfig:one"

/** Lets the promises of a stream go on. */
const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

const advance = (seconds: number) =>
  Effect.gen(function* () {
    for (let second = 0; second < seconds; second++) {
      yield* TestClock.adjust("1 second")
      yield* turn
    }
  })

describe("a stream of changes", () => {
  const openFor = Effect.fnUntraced(function* (authenticate: Effect.Effect<unknown, string>) {
    const streams = yield* ChangeStreams
    const response = yield* streams.open(authenticate)
    return HttpServerResponse.toWeb(response).body?.getReader()
  })
  const open = openFor(Effect.void)

  /** Runs with one place for streams. */
  const withOnePlace = <A, E>(
    use: Effect.Effect<A, E, ChangeStreams | CurrentCaller>,
    signal = ChangeSignal.make(),
  ) => {
    const watch = Layer.succeed(ChangeWatch, { watch: (onChange) => signal.watch(platformId, onChange) })
    return use.pipe(
      Effect.provide(ChangeStreams.layer.pipe(Layer.provide(watch), Layer.provide(WallTime.layerClock))),
      Effect.provideService(ChangeStreamLimits, { changeStreamsMax: 1, changeStreamsPerTenantMax: 1 }),
      Effect.provideService(CurrentCaller, tenant(platformId)),
      Effect.provide(TestClock.layer()),
      Effect.runPromise,
    )
  }

  it("is ended, and its place free, when its reader takes nothing for 30 seconds", () =>
    withOnePlace(
      Effect.gen(function* () {
        const stalled = yield* open
        yield* advance(29)
        expect(Exit.isFailure(yield* Effect.exit(open))).toBe(true)
        yield* advance(2)
        const second = yield* open
        expect(second).toBeDefined()
        yield* Effect.promise(() => expect(stalled?.read()).rejects.toThrow("does not read"))
      }),
    ))

  it.each(changeTopics)(
    "asks who its caller is at once, and not with the next comment, only if access changed: %s",
    (topic) => {
      const signal = ChangeSignal.make()
      return withOnePlace(
        Effect.gen(function* () {
          const reader = yield* openFor(Effect.fail("the token was deleted"))
          const read = Effect.promise(async () => new TextDecoder().decode((await reader?.read())?.value))
          expect(yield* read).toBe("retry: 2000\n\n")
          yield* turn
          signal.changed(platformId, new Set([topic]))
          yield* advance(1)
          // The end of the stream, or its next message.
          expect(yield* read).toBe(topic === "access" ? "" : `event: changed\ndata: {"topics":["${topic}"]}\n\n`)
          expect(Exit.isSuccess(yield* Effect.exit(open))).toBe(topic === "access")
        }),
        signal,
      )
    },
  )

  it("stays open for a reader that reads, with a comment every 15 seconds", () =>
    withOnePlace(
      Effect.gen(function* () {
        const reader = yield* open
        const decoder = new TextDecoder()
        let text = ""
        const reading = (async () => {
          for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
            text += decoder.decode(next.value)
          }
        })()
        yield* turn
        yield* advance(120)
        expect(text).toMatch(/^retry: 2000\n\n(?::\n\n){7}$/u)
        expect(Exit.isFailure(yield* Effect.exit(open))).toBe(true)
        yield* Effect.promise(() => reader?.cancel() ?? Promise.resolve())
        yield* Effect.promise(() => reading)
        yield* turn
        expect(yield* open).toBeDefined()
      }),
    ))
})

describe("a store on PostgreSQL", () => {
  /** Watches for ten seconds, and for ten more after the watch has ended; returns the changes of each. */
  const watched = (connection: Pick<Connection, "isSingleProcess" | "listen">) =>
    Effect.gen(function* () {
      const signal = ChangeSignal.make()
      const scope = yield* Scope.make()
      const seen: Array<ReadonlySet<string>> = []
      const watch = yield* watching(connection, signal)
      yield* Scope.provide(
        watch(platformId, (topics) => seen.push(topics)),
        scope,
      )
      yield* advance(10)
      const during = [...seen]
      yield* Scope.close(scope, Exit.void)
      yield* advance(10)
      return { during, after: seen.length - during.length }
    }).pipe(Effect.provide(Layer.provideMerge(WallTime.layerClock, TestClock.layer())), Effect.runPromise)

  it("reports every topic that has changed to the other processes, of the changes between two reports together", async () => {
    const sent: Array<unknown> = []
    const connection: Connection = {
      query: async ({ values: [, payloads] }) => {
        if (Array.isArray(payloads)) sent.push(payloads.map((payload) => JSON.parse(String(payload))))
        return []
      },
      session: () => Promise.reject(new Error("not asked")),
      concurrentBatches: 1,
      isTransaction: false,
    }
    await Effect.gen(function* () {
      const notices = yield* makeNotices(connection, { processId: "one", signal: ChangeSignal.make() })
      const changed = (platform: string | undefined, ...topics: ReadonlyArray<ChangeTopic>) =>
        notices.changed(platform, new Set(topics))
      yield* turn
      changed(platformId, "records")
      // The first is reported at once, and those of the following milliseconds together.
      yield* turn
      changed(platformId, "audit", "events")
      changed("PlatformConfig:two", "jobs")
      changed(platformId, "approvals", "audit")
      changed(undefined, "clock")
      changed(undefined, "access")
      yield* advance(1)
    }).pipe(
      Effect.scoped,
      Effect.provide(Layer.provideMerge(WallTime.layerClock, TestClock.layer())),
      Effect.runPromise,
    )
    expect(sent).toEqual([
      [["one", platformId, ["records"]]],
      [
        ["one", platformId, ["audit", "events", "approvals"]],
        ["one", "PlatformConfig:two", ["jobs"]],
        ["one", "", ["clock", "access"]],
      ],
    ])
  })

  it("reports every topic each 2.5 seconds behind a pooler that shares sessions, until the watch ends", async () => {
    const { after, during } = await watched({})
    expect(during).toEqual(Array.from({ length: 4 }, () => ChangeSignal.everyTopic))
    expect(after).toBe(0)
  })

  it.each([
    ["can notify", { listen: () => Promise.reject(new Error("not asked")) }],
    ["belongs to one process", { isSingleProcess: true }],
  ])("reports nothing by itself where the database %s", async (_, connection) => {
    expect(await watched(connection)).toEqual({ during: [], after: 0 })
  })
})
