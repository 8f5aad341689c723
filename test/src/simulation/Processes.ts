/**
 * The processes of a simulated run: instances of the whole service, each with memory, caches and workers of its own, over one store. A request
 * goes to any of them. One of two may die in the middle of its work, and another one replaces it.
 */
import { WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import type { FailPoint } from "@countersign/core/verify"
import type { Harness } from "@countersign/test"
import { Effect, Layer } from "effect"
import type { ForkOptions } from "../../../packages/test/src/harness/World.ts"
import { type FaultInjection, processDeath } from "./FaultInjection.ts"
import type { Randomness } from "./Randomness.ts"

interface Life {
  isDead: boolean
  /** Number of steps of the store until it dies; `undefined`: it does not. */
  stepsLeft: number | undefined
}

/** What makes a process of the run: its faults, and its death. */
interface ProcessOptions extends Required<Pick<ForkOptions, "around" | "failPoints" | "ports">> {
  readonly life: Life
}

export interface Processes {
  /** Wall time in milliseconds, which a sandbox's clock does not move. */
  readonly wallNow: () => Promise<number>
  /** Sends each call to one of the living processes. */
  readonly pay: Harness
  /** Lets one of two processes die soon, in some rounds. */
  readonly endOne: () => void
  /** Starts a new process for each that died; those that live go on. */
  readonly replaceDead: () => Promise<void>
}

/** What a process has begun when it dies takes effect, and nobody learns of it. */
const mortalStore = (life: Life, onDeath: () => void): Layer.Layer<Store, never, Store> => {
  const step = Effect.suspend(() => {
    if (life.isDead) return Effect.interrupt
    if (life.stepsLeft === undefined || --life.stepsLeft > 0) return Effect.void
    life.isDead = true
    onDeath()
    return Effect.interrupt
  })
  const mortal = <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.andThen(step, Effect.tap(call, step))
  return Layer.effect(
    Store,
    Effect.map(Store, (store) =>
      Store.of({
        ...store,
        read: (query) => mortal(store.read(query)),
        list: (kind, where, page) => mortal(store.list(kind, where, page)),
        commit: (set) => mortal(store.commit(set)),
        resolve: (claim) => mortal(store.resolve(claim)),
        claim: (request) => mortal(store.claim(request)),
        event: (id) => mortal(store.event(id)),
        delivery: (id) => mortal(store.delivery(id)),
      }),
    ),
  )
}

/** The options of a process. `air` injects its faults. */
export const processOptions = (air: FaultInjection): ProcessOptions => {
  const life: Life = { isDead: false, stepsLeft: undefined }
  const onDeath = () => void air.faults.set(processDeath, (air.faults.get(processDeath) ?? 0) + 1)
  return {
    life,
    around: Layer.provide(mortalStore(life, onDeath), air.store),
    failPoints: (point: FailPoint) => (life.isDead ? Effect.interrupt : air.failPoints(point)),
    ports: air.ports,
  }
}

/** Steps of the store: a request has about ten, a round about a hundred. */
const stepsMax = 80

interface Process {
  readonly pay: Harness
  readonly life: Life
}

/** `first`: the process that exists. */
export const startProcesses = async (
  first: Process,
  { air, count, random }: { readonly air: FaultInjection; readonly count: number; readonly random: Randomness },
): Promise<Processes> => {
  const all: Array<Process> = [first]
  const living = () => all.filter(({ life }) => !life.isDead)
  const start = async () => {
    const { life, ...options } = processOptions(air)
    all.push({ life, pay: await first.pay.join({ ...options, interleave: random.below(0x1_0000_0000) }) })
  }
  const fill = async () => {
    while (living().length < count) await start()
  }
  const route = async <A>(call: (pay: Harness) => Promise<A>): Promise<A> => {
    const process = living()[random.below(living().length)]
    if (process === undefined) throw new Error("no process lives")
    const answer = await call(process.pay)
    if (process.life.isDead) throw new Error("the process died before it answered")
    return answer
  }
  // A process learns with its next question to the store how far another one has moved the time. It never goes back.
  const businessNow = async () => Math.max(...(await Promise.all(all.map(({ pay }) => pay.clock.now()))))
  await fill()
  const pay: Harness = {
    ...first.pay,
    send: (...request) => route((process) => process.send(...request)),
    settle: () => route((process) => process.settle()),
    run: (...asked) => route((process) => process.run(...asked)),
    clock: {
      now: businessNow,
      advance: (duration) => route(({ clock }) => clock.advance(duration)),
    },
    [Symbol.asyncDispose]: async () => {
      for (const process of all.toReversed()) await process.pay[Symbol.asyncDispose]()
    },
  }
  return {
    pay,
    wallNow: () => first.pay.run(WallTime.use(({ now }) => now)),
    endOne: () => {
      const alive = living()
      if (alive.length < 2 || !random.once(2)) return
      const chosen = alive[random.below(alive.length)]
      if (chosen !== undefined) chosen.life.stepsLeft = 1 + random.below(stepsMax)
    },
    replaceDead: async () => {
      for (const { life } of living()) life.stepsLeft = undefined
      await fill()
    },
  }
}
