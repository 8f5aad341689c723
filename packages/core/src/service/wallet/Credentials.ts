/**
 * Registers, lists and revokes the credentials of embedded wallets.
 * Spec: 4.5; wire contract 4.1 to 4.3 and 4.7.
 */
import { Clock, Context, Effect, Layer, Option, Result, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  decideCredentialRevocation,
  decideRegistration,
  isRegistrable,
  otpCredential,
  type RegistrationLoaded,
} from "../../decision/wallet/CredentialDecision.ts"
import { issuedSessionsCounter } from "../../decision/wallet/SessionChanges.ts"
import type { Refusal, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { Credential, isOtp, sha256Hex } from "../../model/wallet/Credential.ts"
import type { CredentialCreateRequest } from "../../model/wallet/CredentialRequest.ts"
import {
  type AuthMethodResponse,
  type CredentialResource,
  toCredential,
} from "../../model/wallet/CredentialResource.ts"
import {
  type AuthSignedRequestChallenge,
  anySessionOf,
  isFirstCall,
  isRetry,
  sessionOfAnotherCredential,
  type WalletHeaders,
} from "../../model/wallet/SignedRequest.ts"
import * as SigningPayload from "../../model/wallet/SigningPayload.ts"
import { listAll } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { KeyVault } from "../../ports/KeyVault.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { CredentialChecks } from "./CredentialChecks.ts"
import { type IssuedCode, OtpChallenges } from "./OtpChallenges.ts"
import { SignedRequests } from "./SignedRequests.ts"
import { activeAt, loadWallet, readCredential, readSettings } from "./WalletReads.ts"

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Challenged<A> = Operation.Answered<A | AuthSignedRequestChallenge>
type CheckedCredential = Result.Result<Credential | undefined, Refusal>

const decodeCredential = Schema.decodeUnknownOption(Credential)

/** Returns the passkey or identity that the first call checked. It is not checked twice: a token may be too old by then. */
const storedCredential = (request: Stored<"SignedRequest"> | undefined): Credential | undefined =>
  Option.getOrUndefined(decodeCredential(request?.data.memo))

/** The memo of a checked passkey or identity. An OTP credential follows from the customer's contact. */
const memoOf = (credential: Credential | undefined): { readonly memo?: Json } =>
  credential === undefined || isOtp(credential) ? {} : { memo: { ...credential } }

const payloadDetailOf = (credential: Credential | undefined): string => {
  if (credential === undefined || credential.type === "PASSKEY") return ""
  return isOtp(credential) ? credential.contact : credential.identity.issuer
}

export class Credentials extends Context.Service<
  Credentials,
  {
    /** Lists the credentials that are not revoked. The list of an unknown account is empty. */
    readonly list: (accountId: string) => Reply<{ readonly data: ReadonlyArray<CredentialResource> }>
    /** The first credential answers 201 at once, a further one 202, then 201. Errors: duplicates, checks, those of signed requests. */
    readonly register: (
      request: CredentialCreateRequest,
      headers: WalletHeaders,
    ) => Reply<Challenged<AuthMethodResponse>>
    /** 202, then 204; revokes its sessions, too. Errors: `INVALID_INPUT` for the last one, those of signed requests. */
    readonly revoke: (credentialId: string, headers: WalletHeaders) => Reply<Challenged<null>>
  }
>()("@countersign/core/Credentials") {
  static readonly layer = Layer.effect(
    Credentials,
    Effect.gen(function* () {
      const store = yield* Store
      const requests = yield* SignedRequests
      const codes = yield* OtpChallenges
      const checks = yield* CredentialChecks
      const services = yield* Effect.context<Store | KeyVault | WallTime | SecureRandom.SecureRandom>()

      /** Asks for the check of a new passkey or token. */
      const checkCredential = Effect.fnUntraced(function* (
        request: Extract<CredentialCreateRequest, { readonly type: "PASSKEY" | "OAUTH" }>,
      ) {
        const common = { accountId: request.accountId, isRevoked: false }
        if (request.type === "PASSKEY") {
          const { attestation, challenge, nickname, type } = request
          const checked = yield* checks.registerPasskey(attestation, challenge)
          const details = { type, challengeHash: sha256Hex(challenge), nickname: nickname.trim(), ...common }
          return Result.map(checked, (passkey): Credential => ({ ...details, passkey }))
        }
        const checked = yield* checks.checkToken(request.oidcToken, yield* Clock.currentTimeMillis)
        return Result.map(checked, ({ audience, email, issuer, subject }): Credential => {
          const nickname = email ?? SigningPayload.providerName(issuer)
          return { type: request.type, identity: { issuer, audience, subject }, nickname, ...common }
        })
      })

      const askCredential = Effect.fnUntraced(function* (
        read: Operation.Read,
        loaded: RegistrationLoaded,
        request: CredentialCreateRequest,
        headers: WalletHeaders,
      ): Effect.fn.Return<CheckedCredential, StoreUnavailable | Operation.ReadFailure, CurrentCaller> {
        if (request.type === "EMAIL_OTP" || request.type === "SMS_OTP") return otpCredential(loaded, request.type)
        return loaded.credentials.length === 0 || isFirstCall(headers)
          ? yield* checkCredential(request)
          : Result.succeed(storedCredential(yield* requests.findPending(read, headers.requestId)))
      })

      const askRegistration = Effect.fnUntraced(function* (
        read: Operation.Read,
        loaded: RegistrationLoaded,
        request: CredentialCreateRequest,
        headers: WalletHeaders,
      ) {
        const nothing = { credential: Result.succeed(undefined), issued: undefined, signing: undefined }
        if (!isRegistrable(loaded, request.type)) return nothing
        const { account, credentials } = loaded
        const checked = yield* askCredential(read, loaded, request, headers)
        if (credentials.length === 0 || Result.isFailure(checked)) return { ...nothing, credential: checked }
        const credential = checked.success
        const signatory = { ...account, accountId: account.id }
        const signing = yield* requests.verify(read, {
          operation: "POST /auth/credentials",
          target: account,
          body: request,
          headers,
          allowedSigner: anySessionOf(account.id),
          payload: SigningPayload.addCredential(signatory, request, payloadDetailOf(credential)),
          type: request.type,
          ...memoOf(credential),
        })
        const sendsCode = credential !== undefined && isOtp(credential) && isRetry(headers)
        const issued = sendsCode ? yield* codes.issue(account, credential, yield* readSettings(read)) : undefined
        return { credential: checked, issued, signing }
      })

      const register = Effect.fnUntraced(
        function* (request: CredentialCreateRequest, headers: WalletHeaders) {
          let issued: IssuedCode | undefined
          const answered = yield* Operation.run({
            name: "Credentials.register",
            load: (read) => loadWallet(read, request.accountId),
            ask: (loaded, read) =>
              Effect.tap(askRegistration(read, loaded, request, headers), (facts) =>
                Effect.sync(() => {
                  issued = facts.issued
                }),
              ),
            decide: decideRegistration(request.type),
          })
          // Sent after the commit, so that every code that is sent belongs to a stored challenge.
          if (issued !== undefined) yield* codes.send(issued)
          return answered
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const loadRevocation = Effect.fnUntraced(function* (read: Operation.Read, credentialId: string) {
        const credential = yield* readCredential(read, credentialId)
        const { accountId } = credential.data
        const counter = issuedSessionsCounter(credentialId)
        // The counter is read first, so that a session issued after it makes the commit a conflict.
        const found = yield* read({ records: [{ kind: "Wallet", id: accountId }], counters: [counter] })
        const sessions = yield* listAll("Session", {
          authMethodId: { eq: credentialId },
          ...activeAt(yield* Clock.currentTimeMillis),
        })
        return {
          credential,
          wallet: found.record("Wallet", accountId),
          sessions,
          issuedSessions: found.counter(counter),
        }
      })

      const askRevocation = Effect.fnUntraced(function* (
        read: Operation.Read,
        credential: Stored<"Credential">,
        headers: WalletHeaders,
      ) {
        const { data, id } = credential
        const { accountId, type } = data
        const signing = yield* requests.verify(read, {
          operation: "DELETE /auth/credentials/{id}",
          target: credential,
          headers,
          allowedSigner: sessionOfAnotherCredential(accountId, id),
          payload: SigningPayload.revokeCredential({ ...credential, accountId }, id, data),
          type,
        })
        return { signing }
      })

      const revoke = Effect.fnUntraced(
        function* (credentialId: string, headers: WalletHeaders) {
          return yield* Operation.run({
            name: "Credentials.revoke",
            load: (read) => loadRevocation(read, credentialId),
            ask: ({ credential }, read) => askRevocation(read, credential, headers),
            decide: decideCredentialRevocation,
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const list = Effect.fnUntraced(
        function* (accountId: string) {
          const found = yield* listAll("Credential", { accountId: { eq: accountId }, isRevoked: { eq: false } })
          return { data: found.map(toCredential) }
        },
        platformOnly,
        Effect.provideService(Store, store),
      )

      return Credentials.of({ list, register, revoke })
    }),
  ).pipe(Layer.provide(CredentialChecks.layer))
}
