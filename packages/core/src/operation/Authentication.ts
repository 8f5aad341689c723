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
import type { AnyStored, Stored } from "../store/ChangeSet.ts"
import { agentTokenClaim, clientClaim, consoleSessionClaim } from "../store/Claims.ts"
import { CallGeneration } from "../store/StateGate.ts"
import { Store, StoreUnavailable } from "../store/Store.ts"
import { confirm as confirmBy, type DeferredSignIn } from "./DeferredSignIn.ts"
import { type Keyed, replayKeyOf } from "./Idempotency.ts"
import * as KnownCallers from "./KnownCallers.ts"
import * as LastUses from "./LastUses.ts"
import { type SecretAttempt, WrongSecrets } from "./WrongSecrets.ts"

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

/** What a request requires of its caller. */
export interface RequestAccess<K extends "Agent" | "ApiToken"> {
  /** The refusal of a caller with this record; `undefined`: it has access. */
  readonly refusalOf: (record: Stored<K>) => ServiceError | undefined
  /** Whether the idempotency key of the request has a stored answer, which a refused caller receives, too. */
  readonly hasStoredAnswer: (caller: Caller) => Effect.Effect<boolean, StoreUnavailable>
}

/** The credential has come to another caller than the request was begun for; the next request knows that one. */
const anotherHolder = Effect.suspend(() =>
  Effect.fail(new StoreUnavailable({ unknown: false, cause: new Error("the credential has another holder now") })),
)

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
    /**
     * Defers the sign-in of an API token to the first read of the request, if an earlier request had the same credentials and its token had
     * access; otherwise `undefined`. Fails with 429 as `platform` does.
     */
    readonly deferPlatform: (
      clientId: string,
      clientSecret: Redacted.Redacted,
      source: string | undefined,
      access: RequestAccess<"ApiToken">,
    ) => Effect.Effect<DeferredSignIn<PlatformCaller> | undefined, ServiceError>
    /** Defers the sign-in of an agent in the same way. */
    readonly deferAgent: (
      token: Redacted.Redacted,
      source: string | undefined,
      access: RequestAccess<"Agent">,
    ) => Effect.Effect<DeferredSignIn<AgentCaller> | undefined, ServiceError>
    /** Confirms a deferred sign-in by a trip of its own, unless a read has. Fails with the refusals of an immediate one. */
    readonly confirm: (signIn: DeferredSignIn) => Effect.Effect<void, ServiceError | StoreUnavailable>
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

      const hasStoredAnswer = Effect.fnUntraced(function* (caller: Caller, keyed: Keyed) {
        const { key } = replayKeyOf(caller, keyed)
        const { replay } = yield* Effect.provideService(store.read({ replay: key }), CurrentCaller, caller)
        return replay !== undefined
      }, traced("Authentication.hasStoredAnswer"))

      const knownTokens = KnownCallers.make<PlatformCaller, Stored<"ApiToken">>()
      const knownAgents = KnownCallers.make<AgentCaller, Stored<"Agent">>()

      /** Returns the token that holds a client id, as the caller, if the secret with this hash is one of its valid ones. */
      const tokenWith = (found: AnyStored | undefined, secretHash: string, now: number) => {
        const token = found?.kind === "ApiToken" ? found : undefined
        const secret = matchingSecret(token?.data.secrets ?? noSecrets, secretHash, now)
        if (token === undefined || token.data.isDeleted || secret === undefined || !isValidAt(token.data, now)) {
          return { token, caller: undefined }
        }
        const { id: tokenId, platformId } = token
        const { permissions } = token.data
        const caller: PlatformCaller = { _tag: "Platform", platformId, tokenId, secretId: secret.id, permissions }
        return { token, caller }
      }

      /** Returns the agent that holds an access token, as the caller, if the token is a valid one of it. */
      const agentWith = (found: AnyStored | undefined, tokenHash: string, now: number): SignedInAgent | undefined => {
        const agent = found?.kind === "Agent" ? found : undefined
        const valid = matchingSecret(agent?.data.tokens ?? noSecrets, tokenHash, now)
        if (agent === undefined || agent.customerId === null || agent.data.isDeleted || valid === undefined) {
          return undefined
        }
        const { customerId, id: agentId, platformId } = agent
        return { caller: { _tag: "Agent", platformId, customerId, agentId, budget: budgetOf(agent.data) }, agent }
      }

      /** Returns the caller of a client id and a secret, or counts a wrong secret. */
      const platformHolding = Effect.fnUntraced(function* (
        attempt: SecretAttempt & { readonly subject: string },
        secretHash: string,
        found: AnyStored | undefined,
      ) {
        const now = yield* Clock.currentTimeMillis
        const { caller, token } = tokenWith(found, secretHash, now)
        if (token === undefined || caller === undefined) {
          yield* wrongSecrets.count(attempt, token)
          return yield* unauthorized("INVALID_CREDENTIALS")
        }
        knownTokens.remember(attempt.subject, { caller, record: token, generation: yield* CallGeneration })
        yield* noteUse(caller.platformId, caller.secretId ?? "", now)
        return { caller, record: token }
      })

      /** Returns the agent of a token, or counts a wrong one. */
      const agentHolding = Effect.fnUntraced(function* (
        attempt: SecretAttempt,
        tokenHash: string,
        found: AnyStored | undefined,
      ) {
        const signedIn = agentWith(found, tokenHash, yield* Clock.currentTimeMillis)
        if (signedIn === undefined) {
          yield* wrongSecrets.count(attempt)
          return yield* unauthorized("INVALID_AGENT_TOKEN")
        }
        const { agent: record, caller } = signedIn
        knownAgents.remember(tokenHash, { caller, record, generation: yield* CallGeneration })
        return signedIn
      })

      const platform = Effect.fnUntraced(function* (
        clientId: string,
        clientSecret: Redacted.Redacted,
        source?: string,
      ) {
        const attempt = { limit: "WRONG_CLIENT_SECRETS", subject: clientId, source } as const
        yield* wrongSecrets.admit(attempt)
        const secretHash = Secrets.hash(Redacted.value(clientSecret))
        const found = yield* store.resolve(clientClaim(clientId))
        return (yield* platformHolding(attempt, secretHash, found)).caller
      }, traced("Authentication.platform"))

      const agent = Effect.fnUntraced(function* (token: Redacted.Redacted, source?: string) {
        const attempt = { limit: "WRONG_CREDENTIALS", source } as const
        yield* wrongSecrets.admit(attempt)
        const tokenHash = Secrets.hash(Redacted.value(token))
        const found = yield* store.resolve(agentTokenClaim(tokenHash))
        return yield* agentHolding(attempt, tokenHash, found)
      }, traced("Authentication.agent"))

      /** A caller who is refused still receives the stored answer of its idempotency key. */
      const requireAccess = <K extends "Agent" | "ApiToken">(
        { refusalOf }: RequestAccess<K>,
        record: Stored<K>,
        isReplay: Effect.Effect<boolean, StoreUnavailable>,
      ): Effect.Effect<void, ServiceError | StoreUnavailable> => {
        const refusal = refusalOf(record)
        return refusal === undefined
          ? Effect.void
          : Effect.flatMap(isReplay, (isAnswered) => (isAnswered ? Effect.void : Effect.fail(refusal)))
      }

      const confirm = (signIn: DeferredSignIn) => confirmBy(store, signIn)

      const deferPlatform = Effect.fnUntraced(function* (
        clientId: string,
        clientSecret: Redacted.Redacted,
        source: string | undefined,
        access: RequestAccess<"ApiToken">,
      ) {
        const attempt = { limit: "WRONG_CLIENT_SECRETS", subject: clientId, source } as const
        yield* wrongSecrets.admit(attempt)
        const secretHash = Secrets.hash(Redacted.value(clientSecret))
        const known = knownTokens.find(clientId, yield* CallGeneration)
        const { caller, token } = tokenWith(known?.record, secretHash, yield* Clock.currentTimeMillis)
        if (token === undefined || caller === undefined || access.refusalOf(token) !== undefined) return undefined
        const signIn: DeferredSignIn<PlatformCaller> = {
          caller,
          claim: clientClaim(clientId),
          holder: { kind: "ApiToken", id: caller.tokenId ?? "" },
          check: (found, isReplay) =>
            platformHolding(attempt, secretHash, found).pipe(
              Effect.tapError(() => Effect.sync(() => knownTokens.forget(clientId))),
              Effect.flatMap(({ record }) =>
                record.id === token.id && record.platformId === token.platformId
                  ? requireAccess(access, record, isReplay)
                  : anotherHolder,
              ),
            ),
          hasStoredAnswer: Effect.suspend(() => access.hasStoredAnswer(caller)),
          outcome: "pending",
        }
        return signIn
      })

      const deferAgent = Effect.fnUntraced(function* (
        token: Redacted.Redacted,
        source: string | undefined,
        access: RequestAccess<"Agent">,
      ) {
        const attempt = { limit: "WRONG_CREDENTIALS", source } as const
        yield* wrongSecrets.admit(attempt)
        const tokenHash = Secrets.hash(Redacted.value(token))
        const known = knownAgents.find(tokenHash, yield* CallGeneration)
        if (known === undefined || access.refusalOf(known.record) !== undefined) return undefined
        const { caller } = known
        const signIn: DeferredSignIn<AgentCaller> = {
          caller,
          claim: agentTokenClaim(tokenHash),
          holder: { kind: "Agent", id: caller.agentId },
          check: (found, isReplay) =>
            agentHolding(attempt, tokenHash, found).pipe(
              Effect.tapError(() => Effect.sync(() => knownAgents.forget(tokenHash))),
              Effect.flatMap(({ agent }) =>
                agent.id === caller.agentId &&
                agent.customerId === caller.customerId &&
                agent.platformId === caller.platformId
                  ? requireAccess(access, agent, isReplay)
                  : anotherHolder,
              ),
            ),
          hasStoredAnswer: Effect.suspend(() => access.hasStoredAnswer(caller)),
          outcome: "pending",
        }
        return signIn
      })

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

      return Authentication.of({ platform, agent, console, deferPlatform, deferAgent, confirm, hasStoredAnswer })
    }),
  )
}
