/**
 * Prepares a kept request to be sent again, as the caller of then.
 * Source: D-478.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  anotherPerson,
  atTheWordOf,
  auditSendAgain,
  callerGone,
  exceeds,
  incomplete,
} from "../../decision/request/SendAgainDecision.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { budgetOf } from "../../model/agent/Usage.ts"
import { isValidAt, validSecrets } from "../../model/platform/StoredSecret.ts"
import type { RequestCaller, RequestSendRequest } from "../../model/request/RequestResource.ts"
import type { SignedInAgent } from "../../operation/Authentication.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { type Caller, CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { Requests } from "./Requests.ts"

type PlatformCaller = Extract<Caller, { readonly _tag: "Platform" }>

/** As whom a request is sent. */
export type SendingAs =
  | { readonly _tag: "Nobody" }
  | { readonly _tag: "Platform"; readonly caller: PlatformCaller }
  | ({ readonly _tag: "Agent" } & SignedInAgent)

/** A request to be sent through the handler of this process. */
export interface PreparedRequest {
  /** The `X-Request-Id` of its answer. */
  readonly id: string
  /** The id of the request that it repeats. */
  readonly from: string
  readonly method: string
  /** Relative to the base address. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly as: SendingAs
}

/** Headers of the connection, of the browser and of tracing: the new request has its own. */
const ofThen = /^(?:content-length|origin|traceparent)$/u
const keyHeader = "idempotency-key"

export class RequestSending extends Context.Service<
  RequestSending,
  {
    /** Records in the audit that the caller sends the request again. Errors: 403, 404 and 409, which say why that is not possible. */
    readonly prepare: (
      id: string,
      request: RequestSendRequest,
    ) => Effect.Effect<PreparedRequest, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/RequestSending") {
  static readonly layer = Layer.effect(
    RequestSending,
    Effect.gen(function* () {
      const store = yield* Store
      const requests = yield* Requests
      const random = yield* SecureRandom.SecureRandom
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const tokenOf = Effect.fnUntraced(function* (id: string, sender: PlatformCaller) {
        const token = (yield* store.read({ records: [{ kind: "ApiToken", id }] })).record("ApiToken", id)
        const now = yield* Clock.currentTimeMillis
        const isValid =
          token !== undefined &&
          !token.data.isDeleted &&
          isValidAt(token.data, now) &&
          validSecrets(token.data.secrets, now).length > 0
        if (!isValid) return yield* new ServiceError(callerGone("API_TOKEN"))
        const { permissions } = token.data
        const refused = exceeds(sender.permissions, permissions)
        if (refused !== undefined) return yield* refused
        return { _tag: "Platform", platformId: sender.platformId, tokenId: id, permissions } as const
      })

      const agentOf = Effect.fnUntraced(function* (id: string, sender: PlatformCaller) {
        const agent = (yield* store.read({ records: [{ kind: "Agent", id }] })).record("Agent", id)
        const now = yield* Clock.currentTimeMillis
        const customerId = agent?.customerId ?? null
        const isValid = agent !== undefined && !agent.data.isDeleted && validSecrets(agent.data.tokens, now).length > 0
        if (!isValid || customerId === null) return yield* new ServiceError(callerGone("AGENT"))
        const refused = exceeds(sender.permissions, ["VIEW", "TRANSACT"])
        if (refused !== undefined) return yield* refused
        const { platformId } = sender
        return {
          agent,
          caller: { _tag: "Agent", platformId, customerId, agentId: id, budget: budgetOf(agent.data) } as const,
        }
      })

      const sendingAs = Effect.fnUntraced(function* (caller: RequestCaller, sender: PlatformCaller) {
        const { id = "", kind } = caller
        if (kind === "NOBODY") return { _tag: "Nobody" } as const
        if (kind === "AGENT") {
          const found = yield* agentOf(id, sender)
          return { _tag: "Agent", agent: found.agent, caller: atTheWordOf(found.caller, sender) } as const
        }
        if (kind === "API_TOKEN") {
          return { _tag: "Platform", caller: atTheWordOf(yield* tokenOf(id, sender), sender) } as const
        }
        const refused = anotherPerson(caller, sender.approver)
        return refused === undefined ? ({ _tag: "Platform", caller: sender } as const) : yield* refused
      })

      const prepare = Effect.fnUntraced(function* (
        id: string,
        { idempotencyKey = "NEW" }: RequestSendRequest,
        sender: PlatformCaller,
      ) {
        const kept = yield* requests.get(id)
        const refused = incomplete(kept)
        if (refused !== undefined) return yield* refused
        const as = yield* sendingAs(kept.caller, sender)
        const newId = yield* random.uuidV4()
        yield* Operation.run({
          name: "Requests.send",
          ids: 1,
          load: () => Effect.void,
          decide: auditSendAgain(kept, newId),
        }).pipe(Effect.provideContext(services))
        const headers = Object.fromEntries(Object.entries(kept.requestHeaders).filter(([name]) => !ofThen.test(name)))
        const isNew = idempotencyKey === "NEW" && headers[keyHeader] !== undefined
        return {
          id: newId,
          from: kept.id,
          method: kept.method,
          path: kept.path,
          headers: isNew ? { ...headers, [keyHeader]: yield* random.uuidV4() } : headers,
          body: kept.requestBody?.text,
          as,
        }
      })

      return RequestSending.of({
        prepare: (id, request) =>
          platformOnly(
            Effect.flatMap(CurrentCaller, (sender) =>
              // `platformOnly` has refused any other.
              sender._tag === "Platform" ? prepare(id, request, sender) : Effect.die(new Error("not a platform")),
            ),
          ),
      })
    }),
  )
}
