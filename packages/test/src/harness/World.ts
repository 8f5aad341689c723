/**
 * A world: one test's own instance of all services, in memory and on the sandbox. It has a clock that only the test moves,
 * a webhook inbox, and identifiers and secrets that are derived from a seed.
 */
import { NodeCrypto, NodeCsv, WalletChecks } from "@countersign/adapter-http"
import { type Book, type Memory, MemoryStore, MemoryVault } from "@countersign/adapter-memory"
import type { Tape } from "@countersign/client/tape"
import { type Caller, Countersign, CurrentCaller, Jobs, Platforms, tenant } from "@countersign/core"
import { sandboxCurrencies } from "@countersign/core/models"
import {
  QuotePull,
  type QuotePullCriterion,
  ScaRegions,
  vaultOf,
  WallTime,
  type WebhookTransport,
  WireNames,
} from "@countersign/core/ports"
import { Sandbox, SandboxClock, SandboxFaults, SandboxInbox, SandboxRequests } from "@countersign/core/sandbox"
import { Store } from "@countersign/core/store"
import { AtFailPoint, type FailPoint } from "@countersign/core/verify"
import { Clock, DateTime, Duration, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as Interleaved from "./Interleaved.ts"
import * as WorldLog from "./report/WorldLog.ts"
import * as SeededKey from "./SeededKey.ts"
import * as SeededRandom from "./SeededRandom.ts"
import * as WebhookInbox from "./WebhookInbox.ts"

/** How a world begins. Without options, each is the same at every run. */
export interface WorldOptions {
  /** The same seed gives the same identifiers and secrets. */
  readonly seed?: number
  /** Initial time of the world's clock, in ISO 8601. */
  readonly startsAt?: string
  /** URL of the platform's webhook endpoint; `null` configures none. */
  readonly webhookEndpoint?: string | null
  /** Whether webhooks are signed and the inbox verifies the signatures. Set it to `false` to speed up long runs. */
  readonly signsWebhooks?: boolean
  /** Seed by which concurrent operations are interleaved at each call of the store. */
  readonly interleave?: number
  /** A layer that wraps the store which the services use. */
  readonly around?: Layer.Layer<Store, never, Store>
  /** Effect that runs at each fail point of this world. */
  readonly failPoints?: (point: FailPoint) => Effect.Effect<void>
  /** The service's name in headers, fields and values; `Service` by default. */
  readonly serviceName?: string
  /** The regions that require strong customer authentication. */
  readonly scaRegions?: ReadonlyArray<string>
  /** When a quote pulls from an external account. */
  readonly quotePull?: QuotePullCriterion
  /** Whether each of several platforms may move the clock that all of them share. */
  readonly isClockShared?: boolean
  /** Ports that replace those of the sandbox; they may wrap the transport to the inbox. */
  readonly ports?: Layer.Layer<never, never, WebhookTransport | WallTime>
  /** Replaces the store in memory. */
  readonly store?: WorldStore
  /** The state to continue from: that of a running world (`fork` passes it), a saved one, or the deployment that a process joins. */
  readonly from?: ForkState | Deployment | WorldSnapshot
}

/** The state of a world as plain data: `JSON.stringify` loses nothing. The seed is not part of it. */
export interface WorldSnapshot {
  readonly format: "countersign world 1"
  /** The time of its clock, in ISO 8601. */
  readonly at: string
  readonly platformId: string
  readonly store: unknown
  /** The requests that led to this state, in a file that `save` of a harness wrote. The state itself contains no secret in clear. */
  readonly tape?: Tape
}

/** The state of a running world from which a fork continues. Both share it, and neither sees later writes of the other. */
interface ForkState {
  readonly at: string
  readonly platformId: string
  readonly memory: Memory
}

/** What all processes of a world share. A process that joins it writes to the same store, on the same clock, for the same inbox. */
interface Deployment {
  readonly at: string
  readonly platformId: string
  /** Absent: the store of the options, which several processes can use. */
  readonly joined: Memory | undefined
  readonly clock: Layer.Layer<TestClock.TestClock>
  readonly inbox: WebhookInbox.Inbox
}

/** A store with read access to its ledger. */
export interface WorldStore {
  readonly layer: Layer.Layer<Store, never, WallTime>
  readonly books: () => Promise<ReadonlyArray<Book>>
  /** Returns the next wall time (ms) after `after` at which a failed job is retried. Without it, an advance stops at due times only. */
  readonly nextRetry?: (after: number) => Promise<number | undefined>
}

/** Wall time is the test's clock, even if business time is moved. Sleeping only yields to other fibers. */
const wall = Layer.effect(
  WallTime,
  Effect.map(Clock.Clock, (clock) => ({ now: clock.currentTimeMillis, sleep: () => Effect.yieldNow })),
)

export const credentials = { clientId: "client_test", clientSecret: "secret_test" }

/** The secret from which all wallet keys are derived. */
export const vaultSecret = "the-vault-secret-of-a-test-world"

/** The root of all webhook keys. Worlds of every seed share it, because a fork continues with the keys of its origin. */
const webhookRoot = SeededKey.pem("webhooks")

const memoryOf = (from: WorldOptions["from"]) => {
  if (from === undefined) return MemoryStore.layer
  // What a fork stores is kept for as long as its own clock says, not that of its origin.
  if ("memory" in from) return Layer.unwrap(Effect.map(WallTime, (own) => MemoryStore.layerOf(from.memory.fork(own))))
  if ("joined" in from) return from.joined === undefined ? MemoryStore.layer : MemoryStore.layerOf(from.joined)
  return Layer.unwrap(Effect.map(Effect.orDie(MemoryStore.load(from.store)), (memory) => MemoryStore.layerOf(memory)))
}

/** `MemoryStore` is always provided, because the type requires it; a store of the options replaces it as `Store`. */
const storeLayer = ({ around, from, interleave, store }: WorldOptions) => {
  const base = store === undefined ? memoryOf(from) : Layer.provideMerge(store.layer, MemoryStore.layer)
  const interleaved = interleave === undefined ? base : Layer.provideMerge(Interleaved.layer(interleave), base)
  return around === undefined ? interleaved : Layer.provideMerge(around, interleaved)
}

export const servicesLayer = (
  options: WorldOptions,
  inbox: WebhookInbox.Inbox,
  log: WorldLog.WorldLog,
  clock: Layer.Layer<TestClock.TestClock> = TestClock.layer(),
) =>
  Countersign.layer.pipe(
    Layer.provideMerge(SandboxFaults.layer),
    Layer.provideMerge(Layer.mergeAll(Sandbox.layer, WalletChecks.sandboxLayer(), options.ports ?? Layer.empty)),
    Layer.provideMerge(inbox.layer),
    Layer.provideMerge(Layer.merge(SandboxRequests.layer, SandboxInbox.layer)),
    Layer.provideMerge(options.isClockShared === true ? SandboxClock.layerShared : SandboxClock.layer),
    Layer.provideMerge(storeLayer(options)),
    Layer.provideMerge(MemoryVault.layer),
    Layer.provideMerge(wall),
    Layer.provideMerge(Layer.merge(NodeCrypto.layer(), NodeCsv.layer)),
    Layer.provideMerge(vaultOf(Redacted.make(vaultSecret))),
    Layer.provideMerge(SeededRandom.layer(options.seed ?? 1)),
    Layer.provideMerge(clock),
    Layer.provideMerge(log.layer),
    Layer.provideMerge(Layer.succeed(ScaRegions, options.scaRegions ?? [])),
    Layer.provideMerge(Layer.succeed(WireNames, { serviceName: options.serviceName, signatureForm: "json" })),
    Layer.provideMerge(Layer.succeed(QuotePull, options.quotePull ?? "DECLARED")),
    Layer.provideMerge(Layer.succeed(AtFailPoint, options.failPoints ?? (() => Effect.void))),
  )

export type Services = Layer.Success<ReturnType<typeof servicesLayer>>

export interface World extends AsyncDisposable {
  readonly inbox: WebhookInbox.Inbox
  readonly platformId: string
  /** Runs an effect as a caller; the default is the platform with every permission. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Services | CurrentCaller>, caller?: Caller) => Promise<A>
  readonly clock: {
    readonly now: () => Promise<number>
    /** Advances the clock. It stops at each due time and each retry on the way and runs the jobs that are due there. */
    readonly advance: (duration: Duration.Input) => Promise<void>
  }
  /** Runs all jobs that are due now; returns how many. */
  readonly settle: () => Promise<number>
  /** Creates a world that continues from this state, with its own clock and inbox. */
  readonly fork: (options?: ForkOptions) => Promise<World>
  /**
   * Starts another process of this world's deployment: it has memory, caches and identifiers of its own, and shares the store, the clock and
   * the inbox. A world that is disposed leaves the others running.
   */
  readonly join: (options?: ForkOptions) => Promise<World>
  /** What a process that joins this world shares with it. */
  readonly deployment: () => Promise<Deployment>
  /** Returns the whole state as plain data, for `from`. */
  readonly snapshot: () => Promise<WorldSnapshot>
  /** The state from which a fork continues; `forkSeed` returns a seed that no other fork of this world has. */
  readonly forkState: () => Promise<ForkState>
  readonly forkSeed: () => number
  /** All ledger accounts with their entries. */
  readonly books: () => Promise<ReadonlyArray<Book>>
  /**
   * Returns what the services logged, oldest first: at most the last 1,000 lines, with the time of this world. Vitest and `node --test`
   * print them if the test fails.
   */
  readonly log: () => ReadonlyArray<string>
  readonly memoMap: Layer.MemoMap
  readonly services: Layer.Layer<Services>
}

export type ForkOptions = Pick<WorldOptions, "seed" | "interleave" | "around" | "failPoints" | "ports" | "serviceName">

const setUp = ({ from, startsAt, webhookEndpoint }: WorldOptions) =>
  Effect.gen(function* () {
    const at = from?.at ?? startsAt ?? "2026-11-21T12:00:00Z"
    if (from !== undefined && "joined" in from) return from.platformId
    yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(at)))
    if (from !== undefined) return from.platformId
    const platforms = yield* Platforms
    const endpoint = webhookEndpoint === undefined ? "https://platform.example/hooks" : webhookEndpoint
    return yield* platforms.setUp({
      clientId: credentials.clientId,
      clientSecret: Redacted.make(credentials.clientSecret),
      name: "Test platform",
      currencies: sandboxCurrencies,
      ...(endpoint === null ? {} : { webhookEndpoint: endpoint }),
    })
  })

/** The next wall time at which a failed job is retried, or a lease or the hold of a lane ends. */
const nextRetry = ({ store }: WorldOptions, after: number) =>
  store === undefined
    ? MemoryStore.useSync((memory) => memory.nextAlarm(after))
    : Effect.promise(async () => store.nextRetry?.(after))

const advance = Effect.fnUntraced(function* (options: WorldOptions, duration: Duration.Input) {
  const store = yield* Store
  const jobs = yield* Jobs
  // The sandbox adds its offset to the test's clock, so the offset is subtracted here.
  const moveTo = (now: number) => TestClock.setTime(now - store.aheadMillis())
  const millis = Duration.toMillis(Duration.fromInputUnsafe(duration))
  if (!(millis >= 0))
    return yield* Effect.die(new RangeError("the clock cannot go back: `duration` must be zero or positive"))
  const end = (yield* Clock.currentTimeMillis) + millis
  for (;;) {
    yield* Effect.orDie(jobs.drain)
    const now = yield* Clock.currentTimeMillis
    const due = (yield* Effect.orDie(store.nextDue(now))) ?? Number.POSITIVE_INFINITY
    const ahead = store.aheadMillis()
    const retry = ((yield* nextRetry(options, now - ahead)) ?? Number.POSITIVE_INFINITY) + ahead
    const next = Math.min(due, retry)
    if (next > end) break
    yield* moveTo(next)
  }
  yield* moveTo(end)
  yield* Effect.orDie(jobs.drain)
})

export const world = async (options: WorldOptions = {}): Promise<World> => {
  const seed = options.seed ?? 1
  const isUnsigned = options.signsWebhooks === false
  const shared = options.from !== undefined && "joined" in options.from ? options.from : undefined
  const inbox = shared?.inbox ?? WebhookInbox.make(isUnsigned ? undefined : webhookRoot, isUnsigned)
  const memoMap = Layer.makeMemoMapUnsafe()
  const log = WorldLog.make()
  await WorldLog.showOnFailure(log)
  let clock = shared?.clock
  const ownClock = Layer.tap(TestClock.layer(), (context) =>
    Effect.sync(() => {
      clock = Layer.succeedContext(context)
    }),
  )
  const services = Layer.orDie(servicesLayer(options, inbox, log, clock ?? ownClock))
  const runtime = ManagedRuntime.make(services, { memoMap })
  const platformId = await runtime.runPromise(setUp(options))
  inbox.usePlatform(platformId)
  const platform: Caller = { ...tenant(platformId), permissions: ["VIEW", "TRANSACT", "MANAGE"] } as Caller
  let forks = 0
  const at = () => runtime.runPromise(Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis).toISOString()))
  const forkState = async (): Promise<ForkState> => {
    if (options.store !== undefined)
      throw new Error("a world with its own `store` cannot be forked or saved: omit `store`")
    return { at: await at(), platformId, memory: await runtime.runPromise(MemoryStore) }
  }
  const deployment = async (): Promise<Deployment> => {
    const joined = options.store === undefined ? await runtime.runPromise(MemoryStore) : undefined
    return { at: await at(), platformId, joined, clock: clock ?? ownClock, inbox }
  }
  // A fork with the seed of its parent would generate the same identifiers again.
  const forkSeed = () => Math.imul(seed ^ 0x9e3779b9, 2 * ++forks + 1) >>> 0
  return {
    inbox,
    platformId,
    memoMap,
    services,
    log: log.lines,
    run: (effect, caller = platform) => runtime.runPromise(Effect.provideService(effect, CurrentCaller, caller)),
    clock: {
      now: () => runtime.runPromise(Clock.currentTimeMillis),
      advance: (duration) => runtime.runPromise(advance(options, duration)),
    },
    settle: () => runtime.runPromise(Jobs.use((jobs) => jobs.drain)),
    forkState,
    forkSeed,
    fork: async (more = {}) => world({ ...options, seed: forkSeed(), ...more, from: await forkState() }),
    join: async (more = {}) => world({ ...options, seed: forkSeed(), ...more, from: await deployment() }),
    deployment,
    snapshot: async () => {
      const { at: now, memory } = await forkState()
      return { format: "countersign world 1", at: now, platformId, store: memory.snapshot() }
    },
    books: options.store?.books ?? (() => runtime.runPromise(MemoryStore.useSync(({ ledger }) => ledger()))),
    [Symbol.asyncDispose]: () => runtime.dispose(),
  }
}
