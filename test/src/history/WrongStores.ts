/** Stores that break one promise now and then, as a defect of an adapter would. Recorded runs on them must be noticed. */
import { type CommitOutcome, type ReadResult, Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { committing, every, type WrongStore as Fault } from "../conformance/wrong/WrongStore.ts"

interface WrongStore {
  readonly name: string
  /** The problem that is reported for it. */
  readonly noticedAs: RegExp
  readonly around: Layer.Layer<Store, never, Store>
}

const wrong = (name: string, noticedAs: RegExp, wrap: Fault["wrap"]): WrongStore => ({
  name,
  noticedAs,
  around: Layer.effect(
    Store,
    Effect.map(Store, (good) => ({ ...good, ...wrap(good) })),
  ),
})

const orderless = /fit in no order/u

export const wrongStores: ReadonlyArray<WrongStore> = [
  wrong("a record is read as it was before the last commit", orderless, (good) => {
    const isStale = every(7)
    const known = new Map<string, unknown>()
    return {
      read: (query) =>
        Effect.map(good.read(query), (found): ReadResult => {
          const stale = isStale()
          return {
            ...found,
            record: (kind, id) => {
              const key = `${kind} ${id}`
              const now = found.record(kind, id)
              const before = known.get(key) as typeof now
              if (!stale) known.set(key, now)
              return stale ? (before ?? now) : now
            },
          }
        }),
    }
  }),
  wrong(
    "every 50th set with an event loses it",
    /was reported/u,
    committing(() => {
      const isLost = every(50)
      return (set) => (set.events.length > 0 && isLost() ? { ...set, events: set.events.slice(1), jobs: [] } : set)
    }),
  ),
  wrong(
    "an event is written again under a new id",
    /was reported/u,
    committing(() => {
      const isDoubled = every(20)
      return (set) => {
        const [event] = set.events
        const delivery = set.jobs.find(({ payload }) => JSON.stringify(payload).includes(event?.id ?? "none"))
        if (event === undefined || delivery === undefined || !isDoubled()) return set
        const id = event.id.replace(/.{4}$/u, "ffff")
        const job = { ...delivery, id: delivery.id.replace(/.{4}$/u, "ffff") }
        const payload = JSON.parse(JSON.stringify(delivery.payload).replaceAll(event.id, id)) as typeof job.payload
        return { ...set, events: [...set.events, { ...event, id }], jobs: [...set.jobs, { ...job, payload }] }
      }
    }),
  ),
  wrong(
    "guards are not checked",
    orderless,
    committing(() => (set) => ({ ...set, guards: [] })),
  ),
  wrong(
    "a budget has no bound",
    orderless,
    committing(() => (set) => ({
      ...set,
      counters: set.counters.map(({ max: _, ...change }) => change),
    })),
  ),
  wrong(
    "a budget is charged half",
    orderless,
    committing(() => {
      const isHalf = every(9)
      return (set) =>
        set.counters.length > 0 && isHalf()
          ? { ...set, counters: set.counters.map((change) => ({ ...change, delta: Math.floor(change.delta / 2) })) }
          : set
    }),
  ),
  wrong(
    "an answer is not kept",
    /was answered .*, and then/u,
    committing(() => {
      const isForgotten = every(4)
      return ({ replay, ...set }) => (replay === undefined || isForgotten() ? set : { ...set, replay })
    }),
  ),
  wrong("an update is acknowledged and lost", orderless, (good) => {
    const isLost = every(8)
    const facts: CommitOutcome = { _tag: "Committed", facts: { balances: {}, counters: {} } }
    return {
      commit: (set) =>
        set.updates.length > 0 && set.jobs.length === 0 && isLost() ? Effect.succeed(facts) : good.commit(set),
    }
  }),
  wrong("a list of actions leaves out the newest", /does not have it/u, (good) => {
    const isShort = every(5)
    return {
      list: (kind, where, page) =>
        Effect.map(good.list(kind, where, page), (found) =>
          kind === "AgentAction" && isShort() ? { ...found, data: found.data.slice(1) } : found,
        ),
    }
  }),
  wrong(
    "a movement of money is lost",
    orderless,
    committing(() => {
      const isLost = every(6)
      return (set) => (set.transfers.length > 0 && isLost() ? { ...set, transfers: [] } : set)
    }),
  ),
]
