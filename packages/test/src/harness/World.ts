/**
 * A world of its own in memory: all services over the sandbox, a clock that only the test moves, an inbox for webhooks,
 * identifiers and secrets from a seed.
 */
import { NodeCrypto, WalletChecks } from "@countersign/adapter-http"
import { type Book, type Memory, MemoryStore } from "@countersign/adapter-memory"
import { type Caller, Countersign, CurrentCaller, Jobs, Platforms, tenant } from "@countersign/core"
import { sandboxCurrencies } from "@countersign/core/models"
import { ScaRegions, vaultOf, WallTime } from "@countersign/core/ports"
import { Sandbox, SandboxClock } from "@countersign/core/sandbox"
import { Store } from "@countersign/core/store"
import { AtFailPoint, type FailPoint } from "@countersign/core/verify"
import { Clock, DateTime, Duration, Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as Interleaved from "./Interleaved.ts"
import * as SeededKey from "./SeededKey.ts"
import * as SeededRandom from "./SeededRandom.ts"
import * as WebhookInbox from "./WebhookInbox.ts"

export interface WorldOptions {
  /** The same seed gives the same identifiers and secrets. */
  readonly seed?: number
  /** ISO 8601; where the world's clock starts. */
  readonly startsAt?: string
  /** Where the platform's webhooks go; `null`: nowhere. */
  readonly webhookEndpoint?: string | null
  /** Whether webhooks bear signatures, and the inbox verifies them; `false` for runs of very many. */
  readonly signsWebhooks?: boolean
  /** Lets operations overlap at each trip to the store, by this seed. */
  readonly interleave?: number
  /** What stands between the services and their store. */
  readonly around?: Layer.Layer<Store, never, Store>
  /** What happens at the fail points of this world. */
  readonly failPoints?: (point: FailPoint) => Effect.Effect<void>
  /** The regions that require strong authentication. */
  readonly scaRegions?: ReadonlyArray<string>
  /** Whether each of several platforms may move the time of all. */
  readonly isClockShared?: boolean
  /** Instead of the sandbox's: any of the ports to the world. */
  readonly ports?: Layer.Layer<never>
  /** Instead of the store in memory. */
  readonly store?: WorldStore
  /** Goes on from another world: one that lives (`fork` does this), or one that was saved. */
  readonly from?: ForkState | WorldSnapshot
}

/** A world as plain data, which `JSON.stringify` keeps whole. It goes on with the seed that it is given. */
export interface WorldSnapshot {
  readonly format: "countersign world 1"
  /** ISO 8601; what its clock said. */
  readonly at: string
  readonly platformId: string
  readonly store: unknown
}

/** A world that lives, as another one goes on from it: what is there is shared, and neither sees what the other does then. */
interface ForkState {
  readonly at: string
  readonly platformId: string
  readonly memory: Memory
}

/** A store, and a look into its books. */
export interface WorldStore {
  readonly layer: Layer.Layer<Store, never, WallTime>
  readonly books: () => Promise<ReadonlyArray<Book>>
}

/** Wall time is the test's clock, whatever moves business time; waiting for it only lets others go on. */
const wall = Layer.effect(
  WallTime,
  Effect.map(Clock.Clock, (clock) => ({ now: clock.currentTimeMillis, sleep: () => Effect.yieldNow })),
)

export const credentials = { clientId: "client_test", clientSecret: "secret_test" }

/** From it all keys of wallets are derived. */
export const vaultSecret = "the-vault-secret-of-a-test-world"

const memoryOf = (from: WorldOptions["from"]) => {
  if (from === undefined) return MemoryStore.layer
  if ("memory" in from) return MemoryStore.layerOf(from.memory.fork())
  return Layer.unwrap(Effect.map(Effect.orDie(MemoryStore.load(from.store)), (memory) => MemoryStore.layerOf(memory)))
}

/** Beneath a given store lies the one in memory, which nobody asks then. */
const storeLayer = ({ around, from, interleave, store }: WorldOptions) => {
  const kept = store === undefined ? memoryOf(from) : Layer.provideMerge(store.layer, MemoryStore.layer)
  const overlapped = interleave === undefined ? kept : Layer.provideMerge(Interleaved.layer(interleave), kept)
  return around === undefined ? overlapped : Layer.provideMerge(around, overlapped)
}

export const servicesLayer = (options: WorldOptions, inbox: WebhookInbox.Inbox) =>
  Countersign.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(Sandbox.layer, WalletChecks.sandboxLayer(), options.ports ?? Layer.empty)),
    Layer.provideMerge(inbox.layer),
    Layer.provideMerge(options.isClockShared === true ? SandboxClock.layerShared : SandboxClock.layer),
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
  /** Another world that goes on from here, with its own clock and inbox. */
  readonly fork: (options?: ForkOptions) => Promise<World>
  /** Everything as plain data, for `from`. */
  readonly snapshot: () => Promise<WorldSnapshot>
  /** What a fork begins from, and a seed for it that no other has. */
  readonly forkState: () => Promise<ForkState>
  readonly forkSeed: () => number
  /** All ledger accounts with their entries. */
  readonly books: () => Promise<ReadonlyArray<Book>>
  readonly memoMap: Layer.MemoMap
  readonly services: Layer.Layer<Services>
}

export type ForkOptions = Pick<WorldOptions, "seed" | "interleave" | "around" | "failPoints" | "ports">

const setUp = ({ from, startsAt, webhookEndpoint }: WorldOptions) =>
  Effect.gen(function* () {
    const at = from?.at ?? startsAt ?? "2026-11-21T12:00:00Z"
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

const advance = Effect.fnUntraced(function* (duration: Duration.Input) {
  const store = yield* Store
  const jobs = yield* Jobs
  // The test's clock is moved, which is beneath the one that a sandbox moves.
  const moveTo = (now: number) => TestClock.setTime(now - store.aheadMillis())
  const millis = Duration.toMillis(Duration.fromInputUnsafe(duration))
  if (!(millis >= 0)) return yield* Effect.die(new RangeError("time never goes back"))
  const end = (yield* Clock.currentTimeMillis) + millis
  for (;;) {
    yield* Effect.orDie(jobs.drain)
    const now = yield* Clock.currentTimeMillis
    const due = yield* Effect.orDie(store.nextDue(now))
    if (due === undefined || due > end) break
    yield* moveTo(due)
  }
  yield* moveTo(end)
  yield* Effect.orDie(jobs.drain)
})

export const world = async (options: WorldOptions = {}): Promise<World> => {
  const seed = options.seed ?? 1
  const isUnsigned = options.signsWebhooks === false
  const inbox = WebhookInbox.make(isUnsigned ? undefined : SeededKey.pem(seed), isUnsigned)
  const memoMap = Layer.makeMemoMapUnsafe()
  const services = Layer.orDie(servicesLayer(options, inbox))
  const runtime = ManagedRuntime.make(services, { memoMap })
  const platformId = await runtime.runPromise(setUp(options))
  const platform: Caller = { ...tenant(platformId), permissions: ["VIEW", "TRANSACT", "MANAGE"] } as Caller
  let forks = 0
  const at = () => runtime.runPromise(Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis).toISOString()))
  const forkState = async (): Promise<ForkState> => {
    if (options.store !== undefined) throw new Error("only a world in memory can be forked or saved")
    return { at: await at(), platformId, memory: await runtime.runPromise(MemoryStore) }
  }
  // A fork that drew what its parent drew would give out the same identifiers again.
  const forkSeed = () => Math.imul(seed ^ 0x9e3779b9, 2 * ++forks + 1) >>> 0
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
    forkState,
    forkSeed,
    fork: async (more = {}) => world({ ...options, seed: forkSeed(), ...more, from: await forkState() }),
    snapshot: async () => {
      const { at: now, memory } = await forkState()
      return { format: "countersign world 1", at: now, platformId, store: memory.snapshot() }
    },
    books: options.store?.books ?? (() => runtime.runPromise(MemoryStore.useSync(({ ledger }) => ledger()))),
    [Symbol.asyncDispose]: () => runtime.dispose(),
  }
}
