/**
 * Authenticates a credential and returns its caller. Secrets are looked up by their hashes and compared in constant time.
 * Spec: Authentication; wire contract 9, 1.5 and 4.12; D-337.
 */
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import * as Secrets from "../foundation/crypto/Secrets.ts"
import { type ServiceError, unauthorized } from "../foundation/errors/ServiceError.ts"
import { traced } from "../foundation/kit/Traced.ts"
import { budgetOf } from "../model/agent/Usage.ts"
import { isActive } from "../model/approval/ConsoleSession.ts"
import type { TokenPermission } from "../model/platform/Platform.ts"
import { isValidAt, matchingSecret } from "../model/platform/StoredSecret.ts"
import { ConsolePermissions } from "../settings/ConsolePermissions.ts"
import { type Caller, CurrentCaller, tenant } from "../store/Caller.ts"
import type { Stored } from "../store/ChangeSet.ts"
import { agentTokenClaim, clientClaim, consoleSessionClaim } from "../store/Claims.ts"
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

/** An authenticated approver: the caller, and the session. */
export interface SignedInApprover {
  readonly caller: PlatformCaller
  readonly session: Stored<"ConsoleSession">
  /** All permissions of its API token. */
  readonly tokenPermissions: ReadonlyArray<TokenPermission>
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
    /** Authenticates the secret of a console session. The caller has those of its token's permissions that `ConsolePermissions` allows. */
    readonly console: (secret: Redacted.Redacted) => Effect.Effect<SignedInApprover, ServiceError | StoreUnavailable>
  }
>()("@countersign/core/Authentication") {
  static readonly layer = Layer.effect(
    Authentication,
    Effect.gen(function* () {
      const store = yield* Store
      const wrongSecrets = yield* WrongSecrets
      const consolePermissions = yield* ConsolePermissions
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

      const console = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
        const secretHash = Secrets.hash(Redacted.value(secret))
        const found = yield* store.resolve(consoleSessionClaim(secretHash))
        const session = found?.kind === "ConsoleSession" ? found : undefined
        const now = yield* Clock.currentTimeMillis
        const matches = Secrets.equal(secretHash, session?.data.secretHash ?? noHash)
        if (session === undefined || !matches || !isActive(session.data, now)) {
          return yield* unauthorized("CONSOLE_SESSION_ENDED")
        }
        const { approverId = "", approverName, proof, tokenId } = session.data
        // A session ends with the API token that began it.
        const token = (yield* store
          .read({ records: [{ kind: "ApiToken", id: tokenId }] })
          .pipe(Effect.provideService(CurrentCaller, tenant(session.platformId)))).record("ApiToken", tokenId)
        if (token === undefined || token.data.isDeleted || !isValidAt(token.data, now)) {
          return yield* unauthorized("CONSOLE_SESSION_ENDED")
        }
        const caller: PlatformCaller = {
          _tag: "Platform",
          platformId: session.platformId,
          tokenId,
          permissions: consolePermissions.filter((each) => token.data.permissions.includes(each)),
          approver: { id: approverId, name: approverName, proof },
        }
        return { caller, session, tokenPermissions: token.data.permissions }
      }, traced("Authentication.console"))

      return Authentication.of({ platform, agent, console, hasStoredAnswer })
    }),
  )
}
