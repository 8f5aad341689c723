/**
 * Runs an action on a store that servers may use at the same time, as the operator of one platform. The audit shows the operator's name.
 * Source: D-354, D-357.
 */
import { CurrentCaller, operatorOf, ServiceError } from "@countersign/core"
import type { WallTime } from "@countersign/core/ports"
import { SandboxClock } from "@countersign/core/sandbox"
import { clientClaim, Store } from "@countersign/core/store"
import { Console, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { CheckedValues } from "./CheckedFlags.ts"
import { type CommandError, negativeAnswer, usageError } from "./CommandError.ts"
import { checkedOptions } from "./CommandOptions.ts"
import { ServerStore } from "./ServerStore.ts"
import { onStore } from "./StoreCommand.ts"
import type { OperateOptions } from "./StoreFlags.ts"

/** The platform with this client id; absent: the only platform of the store. */
export const platformOf = Effect.fnUntraced(function* (given: Option.Option<string>) {
  const store = yield* Store
  if (Option.isNone(given) && (yield* store.platformCount) > 1) {
    return yield* usageError("the store has several platforms: name one with --client-id")
  }
  const clientId = Option.getOrUndefined(given) ?? (yield* (yield* ServerStore).firstClientId)
  const found = clientId === undefined ? undefined : yield* store.resolve(clientClaim(clientId))
  if (clientId === undefined || found === undefined) {
    return yield* usageError(clientId === undefined ? "the store has no platform" : `there is no platform ${clientId}`)
  }
  return { clientId, platformId: found.platformId }
})

/** The reason and the text of a refusal. */
export const messageOf = ({ code, details, message }: ServiceError): string => {
  const reason = details?.["reason"]
  return `${typeof reason === "string" ? reason : code}: ${message}`
}

/** What the services of a command are built of. */
export type Foundation = ServerStore | Store | WallTime | SecureRandom.SecureRandom

/** What a command prints unless it prints JSON. */
export interface Printed<in A> {
  /** On standard output. */
  readonly lines: (answer: A) => string
  /** On standard error, so that standard output is the lines alone. */
  readonly note?: (answer: A) => string
}

/** Returns a maker of commands that run an action with these services and print its answer. */
export const asOperator =
  <Services, Options extends OperateOptions = OperateOptions>(
    servicesOf: (options: Options) => Layer.Layer<Services, CommandError, Foundation>,
  ) =>
  <A>(
    action: (options: Options) => Effect.Effect<A, unknown, CurrentCaller | Services | ServerStore | Store>,
    { lines, note }: Printed<A>,
  ) =>
  (values: CheckedValues<Options>) =>
    Effect.gen(function* () {
      const options = yield* checkedOptions<Options>(values)
      const { clientId, json, operator } = options
      const run = Effect.gen(function* () {
        const { platformId } = yield* platformOf(clientId)
        const answer = yield* Effect.provideService(action(options), CurrentCaller, operatorOf(platformId, operator))
        yield* Console.log(json ? JSON.stringify(answer, null, 2) : lines(answer))
        if (!json && note !== undefined) yield* Console.error(note(answer))
      }).pipe(
        Effect.provide(
          servicesOf(options).pipe(Layer.provideMerge(SandboxClock.layer), Layer.provide(SecureRandom.layerWebCrypto)),
        ),
        Effect.catchIf(
          (error): error is ServiceError => error instanceof ServiceError,
          (error) => Effect.fail(negativeAnswer(messageOf(error))),
        ),
      )
      return yield* onStore(options, run)
    })

/** Reads all pages of a list. */
export const everyPage = <A, E, R>(
  page: (after: {
    readonly cursor?: string
  }) => Effect.Effect<{ readonly data: ReadonlyArray<A>; readonly nextCursor?: string }, E, R>,
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.gen(function* () {
    const all: Array<A> = []
    let cursor: string | undefined
    do {
      const { data, nextCursor } = yield* page(cursor === undefined ? {} : { cursor })
      all.push(...data)
      cursor = nextCursor
    } while (cursor !== undefined)
    return all
  })
