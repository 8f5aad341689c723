/**
 * Calls the operations of the contract at one bank. A lost, late, broken or malformed answer is `Unknown` for an operation that has this
 * outcome, and a defect `PortUnavailable` for one that has not.
 * Source: D-527.
 */
import { CurrentCaller } from "@countersign/core"
import { PortUnavailable } from "@countersign/core/ports"
import { Clock, Duration, Effect, Option, Result, Schema } from "effect"
import { type AskOperation, deadlines, type OutcomeOperation, type PortOperation } from "../contract/PortOperation.ts"
import { answerFault } from "./AnswerFault.ts"
import type { Lost } from "./Exchange.ts"
import { answerBytesDefault, type PortOptions } from "./PortOptions.ts"
import { lost, signedExchange } from "./SignedExchange.ts"
import { processClock } from "./SignedRequest.ts"

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** A client whose connections close with the scope. */
export const makePortClient = Effect.fnUntraced(function* (options: PortOptions) {
  const send = yield* signedExchange(options)

  const answered = Effect.fnUntraced(function* <Q, A>(
    operation: PortOperation<Q, A>,
    request: unknown,
    body: Uint8Array,
  ) {
    const once = send(operation, body)
    // What changes nothing may be sent again.
    const again = ({ wasIdle }: Lost) =>
      operation.repetition === "key" || (wasIdle === true && operation.repetition === "none")
    const json = yield* Effect.catchIf(once, again, () => once)
    const reference = memberOf(request, "reference")
    if (reference !== undefined && memberOf(json, "reference") !== reference) {
      return yield* lost("the answer is about another reference")
    }
    const decoded = Schema.decodeUnknownResult(operation.answer)(json)
    if (Result.isSuccess(decoded)) return decoded.success
    return yield* lost(`the answer is not one of this operation: ${answerFault(decoded.failure)}`)
  })

  const call = Effect.fn("PortClient.call")(function* <Q, A>(operation: PortOperation<Q, A>, request: Q) {
    yield* Effect.annotateCurrentSpan({ path: operation.path })
    const caller = yield* Effect.serviceOption(CurrentCaller)
    const platformId = Option.match(caller, { onNone: () => null, onSome: (known) => known.platformId })
    const businessTime = yield* Clock.currentTimeMillis
    // Records were checked when they came in: rules of today must not stop what they say.
    const encoded = yield* Effect.orDie(Schema.encodeEffect(operation.request)(request, { disableChecks: true }))
    const body = new TextEncoder().encode(JSON.stringify({ platformId, businessTime, request: encoded }))
    const millis = options.deadlines?.[operation.deadline] ?? deadlines[operation.deadline]
    return yield* Effect.raceFirst(
      answered(operation, encoded, body),
      Effect.andThen(
        processClock.sleep(Duration.millis(millis)),
        Effect.suspend(() => lost(`no complete answer within ${millis} ms`)),
      ),
    )
  })

  return {
    answerBytesMax: options.answerBytesMax ?? answerBytesDefault,
    /** Calls an operation whose port has a failure of its own for a lost answer. */
    attempt: <Q, A>(operation: AskOperation<Q, A>, request: NoInfer<Q>) => call(operation, request),
    /** Calls an operation that may have moved money, or asks about it. The money waits, so the log says why. */
    outcomeOf: <Q, A>(operation: OutcomeOperation<Q, A>, request: NoInfer<Q>) =>
      Effect.catch(call(operation, request), ({ reason: cause }) =>
        Effect.logWarning("a bank's answer is lost", {
          operation: operation.path,
          reference: memberOf(request, "reference"),
          cause,
        }).pipe(Effect.as({ _tag: "Unknown", cause } as const)),
      ),
    /** Calls an operation that has no outcome for a lost answer. */
    ask: <Q, A>(operation: AskOperation<Q, A>, request: NoInfer<Q>) =>
      Effect.catch(call(operation, request), ({ reason: cause }) =>
        Effect.die(new PortUnavailable({ operation: operation.path, cause })),
      ),
  }
})

export type PortClient = Effect.Success<ReturnType<typeof makePortClient>>
