/**
 * Authenticates a credential and returns its caller. Secrets are looked up by their hashes and compared in constant time.
 * Spec: Authentication; wire contract 9, 1.5 and 4.12; D-337.
 */
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import * as Secrets from "../foundation/crypto/Secrets.ts"
import { type ServiceError, unauthorized } from "../foundation/errors/ServiceError.ts"
import { traced } from "../foundation/kit/Traced.ts"
import { budgetOf } from "../model/agent/Usage.ts"
import { isValidAt, matchingSecret } from "../model/platform/StoredSecret.ts"
import { type Caller, CurrentCaller } from "../store/Caller.ts"
import type { Stored } from "../store/ChangeSet.ts"
import { agentTokenClaim, clientClaim } from "../store/Claims.ts"
import { Store, type StoreUnavailable } from "../store/Store.ts"
import { type Keyed, replayKeyOf } from "./Idempotency.ts"
import * as LastUses from "./LastUses.ts"
import { WrongSecrets } from "./WrongSecrets.ts"

type AgentCaller = Extract<Caller, { readonly _tag: "Agent" }>
type PlatformCaller = Extract<Caller, { readonly _tag: "Platform" }>

/** An authenticated agent: the caller, and its record. */
export interface SignedInAgent {
  readonly caller: AgentCaller
  readonly agent: Stored<"Agent">
}

export class Authentication extends Context.Service<
  Authentication,
  {
    /**
     * Authenticates an API token. An unknown id and a wrong secret fail with the same 401, and with 429 if too many came from this source,
     * the network of the client.
     */
    readonly platform: (
      clientId: string,
      clientSecret: Redacted.Redacted,
      source?: string,
    ) => Effect.Effect<PlatformCaller, ServiceError | StoreUnavailable>
    /** Authenticates an agent's access token. A deleted agent's token is not valid. */
    readonly agent: (
      token: Redacted.Redacted,
      source?: string,
    ) => Effect.Effect<SignedInAgent, ServiceError | StoreUnavailable>
    /** Whether the idempotency key of a request has a stored answer, which the caller receives whatever its state is now. */
    readonly hasStoredAnswer: (caller: Caller, keyed: Keyed) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("@countersign/core/Authentication") {
  static readonly layer = Layer.effect(
    Authentication,
    Effect.gen(function* () {
      const store = yield* Store
      const wrongSecrets = yield* WrongSecrets
      const noteUse = yield* LastUses.make
      const noHash = Secrets.hash("")
      /** An unknown client takes as long as a known one. */
      const noSecrets = [{ id: "", hash: noHash, createdAt: 0, expiresAt: 0 }]

      const platform = Effect.fnUntraced(function* (
        clientId: string,
        clientSecret: Redacted.Redacted,
        source?: string,
      ) {
        const attempt = { limit: "WRONG_CLIENT_SECRETS", subject: clientId, source } as const
        yield* wrongSecrets.admit(attempt)
        const secretHash = Secrets.hash(Redacted.value(clientSecret))
        const found = yield* store.resolve(clientClaim(clientId))
        const now = yield* Clock.currentTimeMillis
        const token = found?.kind === "ApiToken" ? found : undefined
        const secret = matchingSecret(token?.data.secrets ?? noSecrets, secretHash, now)
        if (token === undefined || token.data.isDeleted || secret === undefined || !isValidAt(token.data, now)) {
          yield* wrongSecrets.count(attempt, token)
          return yield* unauthorized("INVALID_CREDENTIALS")
        }
        const { id: tokenId, platformId } = token
        yield* noteUse(platformId, secret.id, now)
        const { permissions } = token.data
        return { _tag: "Platform", platformId, tokenId, secretId: secret.id, permissions } as const
      }, traced("Authentication.platform"))

      const agent = Effect.fnUntraced(function* (token: Redacted.Redacted, source?: string) {
        const attempt = { limit: "WRONG_CREDENTIALS", source } as const
        yield* wrongSecrets.admit(attempt)
        const tokenHash = Secrets.hash(Redacted.value(token))
        const found = yield* store.resolve(agentTokenClaim(tokenHash))
        const record = found?.kind === "Agent" ? found : undefined
        const now = yield* Clock.currentTimeMillis
        const valid = matchingSecret(record?.data.tokens ?? noSecrets, tokenHash, now)
        if (record === undefined || record.customerId === null || record.data.isDeleted || valid === undefined) {
          yield* wrongSecrets.count(attempt)
          return yield* unauthorized("INVALID_AGENT_TOKEN")
        }
        const caller: AgentCaller = {
          _tag: "Agent",
          platformId: record.platformId,
          customerId: record.customerId,
          agentId: record.id,
          budget: budgetOf(record.data),
        }
        return { caller, agent: record }
      }, traced("Authentication.agent"))

      const hasStoredAnswer = Effect.fnUntraced(function* (caller: Caller, keyed: Keyed) {
        const { key } = replayKeyOf(caller, keyed)
        const { replay } = yield* Effect.provideService(store.read({ replay: key }), CurrentCaller, caller)
        return replay !== undefined
      }, traced("Authentication.hasStoredAnswer"))

      return Authentication.of({ platform, agent, hasStoredAnswer })
    }),
  )
}
