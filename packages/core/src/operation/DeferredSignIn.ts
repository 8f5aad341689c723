/**
 * A sign-in that the first read of its request completes: the caller is known from an earlier request, and the trip that loads records
 * also reads what holds the credential now. Until that has confirmed the caller, nothing is committed and no answer is sent.
 * Source: D-495.
 */
import { Context, Effect } from "effect"
import type { ServiceError } from "../foundation/errors/ServiceError.ts"
import type { Claim } from "../model/record/Record.ts"
import { type Caller, CurrentCaller } from "../store/Caller.ts"
import type { AnyStored, RecordRef, Stored } from "../store/ChangeSet.ts"
import type { Kind } from "../store/Kinds.ts"
import type { ReadQuery, ReadResult, Store, StoreUnavailable } from "../store/Store.ts"

type StorePort = Store["Service"]

export interface DeferredSignIn<C extends Caller = Caller> {
  /** The caller, if the credential is still valid. */
  readonly caller: C
  /** The unique key of the credential, and the record that held it last. */
  readonly claim: Claim
  readonly holder: RecordRef
  /** Checks what holds the key now, and the caller's access, as a sign-in before the request does; with the same refusals. */
  readonly check: (
    found: AnyStored | undefined,
    isReplay: Effect.Effect<boolean, StoreUnavailable>,
  ) => Effect.Effect<void, ServiceError | StoreUnavailable>
  /** Whether the idempotency key of the request has a stored answer, which the caller receives whatever its access is now. */
  readonly hasStoredAnswer: Effect.Effect<boolean, StoreUnavailable>
  outcome: "pending" | "confirmed" | ServiceError
}

/** `undefined`: the caller was signed in before the request, or has no credential. */
export const CurrentSignIn = Context.Reference<DeferredSignIn | undefined>("@countersign/core/DeferredSignIn", {
  defaultValue: () => undefined,
})

/** Checks once. A refusal stays, whatever the request does with it. */
const settle = (
  signIn: DeferredSignIn,
  found: AnyStored | undefined,
  isReplay: Effect.Effect<boolean, StoreUnavailable>,
): Effect.Effect<void, ServiceError | StoreUnavailable> =>
  signIn.check(found, isReplay).pipe(
    Effect.andThen(
      Effect.sync(() => {
        signIn.outcome = "confirmed"
      }),
    ),
    Effect.tapError((error) =>
      Effect.sync(() => {
        if (error._tag === "ServiceError") signIn.outcome = error
      }),
    ),
  )

/** Confirms a sign-in by a trip of its own, unless it is settled. */
export const confirm = (
  store: Pick<StorePort, "resolve">,
  signIn: DeferredSignIn,
): Effect.Effect<void, ServiceError | StoreUnavailable> => {
  if (signIn.outcome === "confirmed") return Effect.void
  if (signIn.outcome !== "pending") return Effect.fail(signIn.outcome)
  return Effect.flatMap(store.resolve(signIn.claim), (found) => settle(signIn, found, signIn.hasStoredAnswer))
}

/** Confirms the sign-in of the current request, before a commit. */
export const confirmCurrent = (store: StorePort): Effect.Effect<void, ServiceError | StoreUnavailable> =>
  Effect.withFiber((fiber) => {
    const signIn = fiber.getRef(CurrentSignIn)
    return signIn === undefined ? Effect.void : confirm(store, signIn)
  })

/** Reads and confirms in one trip. The record that holds the credential is read once, also if the query names it. */
const readConfirming = (store: StorePort, signIn: DeferredSignIn, query: ReadQuery) => {
  const { kind, id } = signIn.holder
  const isHolder = (ref: RecordRef) => ref.kind === kind && ref.id === id
  const isQueried = query.records?.some(isHolder) === true
  const sent: ReadQuery = {
    ...query,
    ...(isQueried ? { records: query.records?.filter((ref) => !isHolder(ref)) ?? [] } : {}),
    holder: signIn.claim.key,
  }
  return Effect.flatMap(store.read(sent), (found) => {
    const isReplay = query.replay === undefined ? signIn.hasStoredAnswer : Effect.succeed(found.replay !== undefined)
    const result: ReadResult = {
      ...found,
      record: <K extends Kind>(ofKind: K, withId: string) =>
        isQueried && ofKind === kind && withId === id
          ? (found.holder as Stored<K> | undefined)
          : found.record(ofKind, withId),
    }
    return Effect.as(settle(signIn, found.holder, isReplay), result)
  })
}

/** `Store.read` for requests: the first read of one whose sign-in is deferred confirms it, and fails with its refusal. */
export const reads =
  (store: StorePort) =>
  (query: ReadQuery): Effect.Effect<ReadResult, StoreUnavailable | ServiceError, CurrentCaller> =>
    Effect.withFiber<ReadResult, StoreUnavailable | ServiceError, CurrentCaller>((fiber) => {
      const signIn = fiber.getRef(CurrentSignIn)
      if (signIn === undefined || signIn.outcome === "confirmed") return store.read(query)
      const isOwnRead =
        signIn.outcome === "pending" && Context.getOrUndefined(fiber.context, CurrentCaller) === signIn.caller
      return isOwnRead
        ? readConfirming(store, signIn, query)
        : Effect.andThen(confirm(store, signIn), store.read(query))
    })
