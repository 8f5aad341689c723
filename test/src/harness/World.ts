/**
 * A world of its own in memory: all services over the sandbox, a clock that only the test moves, an inbox for webhooks,
 * identifiers and secrets from a seed.
 */
import { NodeCrypto } from "@countersign/adapter-http"
import { type Book, MemoryStore } from "@countersign/adapter-memory"
import {
  AtFailPoint,
  type Caller,
  Countersign,
  CurrentCaller,
  type FailPoint,
  Jobs,
  Platforms,
  ScaRegions,
  Store,
  sandboxCurrencies,
  tenant,
  vaultOf,
  WallTime,
} from "@countersign/core"
import { Sandbox } from "@countersign/core/sandbox"
import { Clock, DateTime, Duration, Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as Interleaved from "./Interleaved.ts"
import * as SeededRandom from "./SeededRandom.ts"
import * as WebhookInbox from "./WebhookInbox.ts"

export interface WorldOptions {
  /** The same seed gives the same identifiers and secrets. */
  readonly seed?: number
  /** ISO 8601; where the world's clock starts. */
  readonly startsAt?: string
  /** Where the platform's webhooks go; `null`: nowhere. */
  readonly webhookEndpoint?: string | null
  /** Lets operations overlap at each trip to the store, by this seed. */
  readonly interleave?: number
  /** What happens at the fail points of this world. */
  readonly failPoints?: (point: FailPoint) => Effect.Effect<void>
  /** The regions that require strong authentication. */
  readonly scaRegions?: ReadonlyArray<string>
  /** Instead of the sandbox's: any of the ports to the world. */
  readonly ports?: Layer.Layer<never>
  /** Instead of the store in memory. */
  readonly store?: WorldStore
}

/** A store, and a look into its books. */
export interface WorldStore {
  readonly layer: Layer.Layer<Store, never, WallTime>
  readonly books: () => Promise<ReadonlyArray<Book>>
}

/** Wall time follows the world's clock; waiting for it only lets others go on. */
const wall = Layer.succeed(WallTime, { now: Clock.currentTimeMillis, sleep: () => Effect.yieldNow })

export const credentials = { clientId: "client_test", clientSecret: "secret_test" }

/** From it all keys of wallets are derived. */
export const vaultSecret = "the-vault-secret-of-a-test-world"

/** Beneath a given store lies the one in memory, which nobody asks then. */
const storeLayer = ({ interleave, store }: WorldOptions) => {
  const kept = store === undefined ? MemoryStore.layer : Layer.provideMerge(store.layer, MemoryStore.layer)
  return interleave === undefined ? kept : Layer.provideMerge(Interleaved.layer(interleave), kept)
}

export const servicesLayer = (options: WorldOptions, inbox: WebhookInbox.Inbox) =>
  Countersign.layer.pipe(
    Layer.provideMerge(Layer.merge(Sandbox.layer, options.ports ?? Layer.empty)),
    Layer.provideMerge(inbox.layer),
    Layer.provideMerge(storeLayer(options)),
    Layer.provideMerge(wall),
    Layer.provideMerge(NodeCrypto.layer()),
    Layer.provideMerge(vaultOf(Redacted.make(vaultSecret))),
    Layer.provideMerge(SeededRandom.layer(options.seed ?? 1)),
    Layer.provideMerge(TestClock.layer()),
    Layer.provideMerge(Logger.layer([])),
    Layer.provideMerge(Layer.succeed(ScaRegions, options.scaRegions ?? [])),
    Layer.provideMerge(Layer.succeed(AtFailPoint, options.failPoints ?? (() => Effect.void))),
  )

export type Services = Layer.Success<ReturnType<typeof servicesLayer>>

export interface World extends AsyncDisposable {
  readonly inbox: WebhookInbox.Inbox
  readonly platformId: string
  /** Runs an effect as a caller; by default as the platform, with every permission. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Services | CurrentCaller>, caller?: Caller) => Promise<A>
  readonly clock: {
    readonly now: () => Promise<number>
    /** Steps to each due time on the way, works what is due there, and goes on. */
    readonly advance: (duration: Duration.Input) => Promise<void>
  }
  /** Works all that is due now. */
  readonly settle: () => Promise<number>
  /** All ledger accounts with their entries. */
  readonly books: () => Promise<ReadonlyArray<Book>>
  readonly memoMap: Layer.MemoMap
  readonly services: Layer.Layer<Services>
}

const advance = Effect.fnUntraced(function* (duration: Duration.Input) {
  const store = yield* Store
  const jobs = yield* Jobs
  const end = (yield* Clock.currentTimeMillis) + Duration.toMillis(Duration.fromInputUnsafe(duration))
  for (;;) {
    yield* Effect.orDie(jobs.drain)
    const now = yield* Clock.currentTimeMillis
    const due = yield* Effect.orDie(store.nextDue(now))
    if (due === undefined || due > end) break
    yield* TestClock.setTime(due)
  }
  yield* TestClock.setTime(end)
  yield* Effect.orDie(jobs.drain)
})

export const world = async (options: WorldOptions = {}): Promise<World> => {
  const inbox = WebhookInbox.make()
  const memoMap = Layer.makeMemoMapUnsafe()
  const services = Layer.orDie(servicesLayer(options, inbox))
  const runtime = ManagedRuntime.make(services, { memoMap })
  const platformId = await runtime.runPromise(
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(options.startsAt ?? "2026-11-21T12:00:00Z")))
      const platforms = yield* Platforms
      const endpoint =
        options.webhookEndpoint === undefined ? "https://platform.example/hooks" : options.webhookEndpoint
      return yield* platforms.setUp({
        clientId: credentials.clientId,
        clientSecret: Redacted.make(credentials.clientSecret),
        name: "Test platform",
        currencies: sandboxCurrencies,
        ...(endpoint === null ? {} : { webhookEndpoint: endpoint }),
      })
    }),
  )
  const platform: Caller = { ...tenant(platformId), permissions: ["VIEW", "TRANSACT", "MANAGE"] } as Caller
  return {
    inbox,
    platformId,
    memoMap,
    services,
    run: (effect, caller = platform) => runtime.runPromise(Effect.provideService(effect, CurrentCaller, caller)),
    clock: {
      now: () => runtime.runPromise(Clock.currentTimeMillis),
      advance: (duration) => runtime.runPromise(advance(duration)),
    },
    settle: () => runtime.runPromise(Jobs.use((jobs) => jobs.drain)),
    books: options.store?.books ?? (() => runtime.runPromise(MemoryStore.useSync(({ ledger }) => ledger()))),
    [Symbol.asyncDispose]: () => runtime.dispose(),
  }
}
