/**
 * Lets a store replace its whole state while calls are under way. A request or a job belongs to the state in which it began: once that
 * state is replaced, its further calls fail, and no part of it reaches the new state.
 * Source: D-470.
 */
import { Context, Effect, Latch } from "effect"
import * as ChangeSignal from "./ChangeSignal.ts"
import { Store, StoreUnavailable } from "./Store.ts"

/** The number of the present state. A store that is never replaced has only the first. */
export const Generation = Context.Reference<{ readonly begin: Effect.Effect<number> }>(
  "@countersign/core/StateGate/Generation",
  { defaultValue: () => ({ begin: Effect.succeed(0) }) },
)

/** The state to which the running request or job belongs; `undefined`: to whichever state there is. */
export const CallGeneration = Context.Reference<number | undefined>("@countersign/core/StateGate/CallGeneration", {
  defaultValue: () => undefined,
})

/** Runs an effect as part of the present state, and waits first if it is being replaced. */
export const inPresentGeneration = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(
    Effect.flatMap(Generation, ({ begin }) => begin),
    (generation) => Effect.provideService(effect, CallGeneration, generation),
  )

const replaced = Effect.suspend(() =>
  Effect.fail(new StoreUnavailable({ unknown: false, cause: new Error("the state of the store was replaced") })),
)

export interface StateGate {
  readonly generation: (typeof Generation)["Service"]
  /** Returns the store whose calls wait while the state is replaced, and fail if they belong to an earlier one. */
  readonly guard: (store: Store["Service"]) => Store["Service"]
  /** Replaces the state: waits for the calls under way, and begins a new generation if `swap` succeeds. One at a time. */
  readonly replace: <A, E, R>(swap: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Returns a gate whose state has its first generation. */
export const make = (): StateGate => {
  let present = 0
  let isOpen = true
  let calls = 0
  const changes = ChangeSignal.make()
  const open = Latch.makeUnsafe(true)
  const quiet = Latch.makeUnsafe(true)

  const enter = Effect.suspend(() => {
    calls += 1
    return quiet.close
  })
  const leave = Effect.suspend(() => {
    calls -= 1
    return calls === 0 ? quiet.open : Effect.void
  })
  /** Waits until the gate is open and counts the call. No other fiber runs between the two. */
  const admitted: Effect.Effect<void> = Effect.suspend(() => (isOpen ? enter : Effect.andThen(open.await, admitted)))

  const call = <A, E, R>(effect: Effect.Effect<A, E, R>, otherwise: Effect.Effect<A, E | StoreUnavailable, R>) =>
    Effect.withFiber<A, E | StoreUnavailable, R>((fiber) => {
      const own = fiber.getRef(CallGeneration)
      return Effect.acquireUseRelease(
        admitted,
        () => (own === undefined || own === present ? effect : otherwise),
        () => leave,
      )
    })
  const guarded = <A, E, R>(effect: Effect.Effect<A, E, R>) => call<A, E | StoreUnavailable, R>(effect, replaced)

  const begin: Effect.Effect<number> = Effect.suspend(() =>
    isOpen ? Effect.succeed(present) : Effect.andThen(open.await, begin),
  )

  return {
    generation: { begin },
    // Names every method, without a spread, so that a new one is a compile error until it is guarded or passed on here.
    guard: (store) =>
      Store.of({
        read: (query) => guarded(store.read(query)),
        list: (kind, where, page) => guarded(store.list(kind, where, page)),
        commit: (set) => {
          const [job] = [...set.finishes, ...set.returns]
          // The job is not of the present state, which may have one with the same id.
          const taken = job && Effect.succeed({ _tag: "Conflict" as const, on: `job ${job.id}` })
          return call(store.commit(set), taken ?? replaced)
        },
        history: (ref, latest) => guarded(store.history(ref, latest)),
        event: (id) => guarded(store.event(id)),
        events: (filter, page) => guarded(store.events(filter, page)),
        delivery: (eventId) => guarded(store.delivery(eventId)),
        resolve: (claim) => guarded(store.resolve(claim)),
        claim: (request) => guarded(store.claim(request)),
        attend: store.attend,
        awaitWork: store.awaitWork,
        aheadMillis: store.aheadMillis,
        nextDue: (after) => guarded(store.nextDue(after)),
        jobs: guarded(store.jobs),
        countJobs: (query) => guarded(store.countJobs(query)),
        parkedJobs: (page) => guarded(store.parkedJobs(page)),
        dueJobs: (page) => guarded(store.dueJobs(page)),
        // Another state may differ in everything.
        watch: (platformId, onChange) =>
          Effect.andThen(store.watch(platformId, onChange), changes.watch(platformId, onChange)),
        workload: (wallNow) => guarded(store.workload(wallNow)),
        moveTime: (move) => guarded(store.moveTime(move)),
        platformCount: guarded(store.platformCount),
        trialBalance: guarded(store.trialBalance),
        postings: (reference) => guarded(store.postings(reference)),
        balanceTotals: guarded(store.balanceTotals),
        accountBalances: (page) => guarded(store.accountBalances(page)),
        accountEntries: (page) => guarded(store.accountEntries(page)),
        ownPostings: (reference) => guarded(store.ownPostings(reference)),
        rootUses: guarded(store.rootUses),
        ready: guarded(store.ready),
      }),
    replace: (swap) =>
      Effect.acquireUseRelease(
        Effect.suspend(() => {
          isOpen = false
          return open.close
        }),
        () =>
          Effect.andThen(
            Effect.suspend(() => (calls === 0 ? Effect.void : quiet.await)),
            // A caller that disconnects does not end it halfway.
            Effect.uninterruptible(
              Effect.tap(swap, () =>
                Effect.sync(() => {
                  present += 1
                  changes.changed(undefined, ChangeSignal.everyTopic)
                }),
              ),
            ),
          ),
        () =>
          Effect.suspend(() => {
            isOpen = true
            return open.open
          }),
      ),
  }
}
