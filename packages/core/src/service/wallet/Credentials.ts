/**
 * Credentials of embedded wallets: registered, listed and revoked.
 * Spec: 4.5; wire contract 4.1 to 4.3 and 4.7.
 */
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { addCredential, removeCredential } from "../../decision/wallet/CredentialChanges.ts"
import * as SessionChanges from "../../decision/wallet/SessionChanges.ts"
import { decideSigned } from "../../decision/wallet/SignedDecision.ts"
import { ServiceError, unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { Credential, hashOf, isOtp } from "../../model/wallet/Credential.ts"
import type { CredentialCreateRequest } from "../../model/wallet/CredentialRequest.ts"
import {
  type AuthMethodResponse,
  type CredentialResource,
  toCredential,
} from "../../model/wallet/CredentialResource.ts"
import { additionRefusal, noContact, RevocationRules } from "../../model/wallet/CredentialRules.ts"
import { renewed } from "../../model/wallet/OtpRules.ts"
import {
  type AuthSignedRequestChallenge,
  anySessionOf,
  sessionNotOf,
  type WalletHeaders,
} from "../../model/wallet/SignedRequest.ts"
import * as SigningPayload from "../../model/wallet/SigningPayload.ts"
import { listAll } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import * as CredentialChecks from "./CredentialChecks.ts"
import { type IssuedCode, OtpChallenges } from "./OtpChallenges.ts"
import { SignedRequests } from "./SignedRequests.ts"
import {
  activeAt,
  isFirstCall,
  isRetry,
  loadWallet,
  readCredential,
  readSettings,
  type WalletLoaded,
} from "./WalletReads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Challenged<A> = Operation.Answered<A | AuthSignedRequestChallenge>

const decodeCredential = Schema.decodeUnknownOption(Credential)

/** What the first call found out of a passkey or a token, which is not asked twice: a token may be too old by then. */
const remembered = (request: Stored<"SignedRequest"> | undefined): Credential | undefined =>
  Option.getOrUndefined(decodeCredential(request?.data.memo))

const memoOf = (credential: Credential | undefined): { readonly memo?: Json } =>
  credential === undefined || isOtp(credential) ? {} : { memo: { ...credential } }

const detailOf = (credential: Credential | undefined): string => {
  if (credential === undefined || credential.type === "PASSKEY") return ""
  return isOtp(credential) ? credential.contact : credential.identity.issuer
}

interface Addition extends WalletLoaded {
  /** Undefined: a retry of a request that kept nothing. */
  readonly credential: Credential | undefined
  /** The code that goes out with an added OTP credential. */
  readonly issued: IssuedCode | undefined
}

const add =
  ({ account, credential, credentials, customer, issued, wallet }: Addition, context: Operation.DecisionContext) =>
  (): Operation.Decision<AuthMethodResponse> => {
    if (credential === undefined) return Operation.refuse(unauthorizedFor("REQUEST_SPENT"))
    const { ids, now, rejections } = context
    const others = credentials.map(({ data }) => data)
    const refusal = additionRefusal({ credential, others, taken: Operation.takenClaim(rejections) })
    if (refusal !== undefined) return Operation.refuse(refusal)
    const id = ids("AuthMethod")
    const resource: CredentialResource = toCredential(
      Changes.insertedRecord("Credential", id, account, credential, now),
    )
    return Operation.answer<AuthMethodResponse>(
      201,
      { ...resource, ...(issued === undefined ? {} : { otpEncryptionTargetBundle: issued.bundle }) },
      Changes.combine(
        addCredential(id, account, wallet, credential),
        issued && Changes.insert("OtpChallenge", id, account, renewed(undefined, issued.kept, now)),
        Changes.guard(account, customer),
      ),
    )
  }

export class Credentials extends Context.Service<
  Credentials,
  {
    /** Those that are not revoked; of an unknown account none. */
    readonly list: (accountId: string) => Result<{ readonly data: ReadonlyArray<CredentialResource> }>
    /** The first one 201 at once, a further one 202, then 201. Errors: duplicates, checks, those of signed requests. */
    readonly register: (
      request: CredentialCreateRequest,
      headers: WalletHeaders,
    ) => Result<Challenged<AuthMethodResponse>>
    /** 202, then 204; its sessions end. Errors: `INVALID_INPUT` for the last one, those of signed requests. */
    readonly revoke: (credentialId: string, headers: WalletHeaders) => Result<Challenged<null>>
  }
>()("@countersign/core/Credentials") {
  static readonly layer = Layer.effect(
    Credentials,
    Effect.gen(function* () {
      const store = yield* Store
      const requests = yield* SignedRequests
      const codes = yield* OtpChallenges
      const checks = yield* CredentialChecks.make
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      /** The new credential, checked. */
      const checked = Effect.fnUntraced(function* (request: CredentialCreateRequest) {
        const { accountId, type } = request
        const common = { accountId, isRevoked: false }
        if (type === "PASSKEY") {
          const { attestation, challenge, nickname } = request
          const passkey = yield* checks.registerPasskey(attestation, challenge)
          const challengeHash = hashOf(challenge)
          return { type, passkey, challengeHash, nickname: nickname.trim(), ...common } satisfies Credential
        }
        if (type !== "OAUTH") return undefined
        const { email, ...person } = yield* checks.checkToken(request.oidcToken, yield* Clock.currentTimeMillis)
        const { audience, issuer, subject } = person
        const nickname = email ?? SigningPayload.providerName(issuer)
        return { type, identity: { issuer, audience, subject }, nickname, ...common } satisfies Credential
      })

      const credentialOf = Effect.fnUntraced(function* (
        read: Operation.Read,
        request: CredentialCreateRequest,
        headers: WalletHeaders,
        { credentials, customer }: WalletLoaded,
      ) {
        const { accountId, type } = request
        if (type === "EMAIL_OTP" || type === "SMS_OTP") {
          const contact = type === "EMAIL_OTP" ? customer.data.email : customer.data.phoneNumber
          if (contact === undefined) return yield* new ServiceError(noContact(type))
          return { type, accountId, contact, nickname: contact, isRevoked: false } satisfies Credential
        }
        return credentials.length === 0 || isFirstCall(headers)
          ? yield* checked(request)
          : remembered(yield* requests.pending(read, headers.requestId))
      })

      const loadAddition = Effect.fnUntraced(function* (
        read: Operation.Read,
        request: CredentialCreateRequest,
        headers: WalletHeaders,
      ) {
        const loaded = yield* loadWallet(read, request.accountId)
        const { account, credentials } = loaded
        const credential = yield* credentialOf(read, request, headers, loaded)
        if (credentials.length === 0) return { ...loaded, credential, issued: undefined, signing: undefined }
        const signing = yield* requests.load(read, {
          operation: "POST /auth/credentials",
          target: account,
          body: request,
          headers,
          admits: anySessionOf(account.id),
          payload: SigningPayload.addCredential({ ...account, accountId: account.id }, request, detailOf(credential)),
          type: request.type,
          ...memoOf(credential),
        })
        const sendsCode = credential !== undefined && isOtp(credential) && isRetry(headers)
        const issued = sendsCode ? yield* codes.issue(account, credential, yield* readSettings(read)) : undefined
        return { ...loaded, credential, issued, signing }
      })

      const register = Effect.fnUntraced(
        function* (request: CredentialCreateRequest, headers: WalletHeaders) {
          let issued: IssuedCode | undefined
          const answered = yield* Operation.run({
            name: "Credentials.register",
            load: (read) => loadAddition(read, request, headers),
            decide: ({ signing, ...addition }, context) => {
              issued = addition.issued
              const then = add(addition, context)
              return signing === undefined ? then() : decideSigned(signing, context, then)
            },
          })
          // After the commit: what is sent belongs to a challenge that is kept.
          if (issued !== undefined) yield* codes.send(issued)
          return answered
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const loadRevocation = Effect.fnUntraced(function* (
        read: Operation.Read,
        credentialId: string,
        headers: WalletHeaders,
      ) {
        const credential = yield* readCredential(read, credentialId)
        const { accountId, type } = credential.data
        const counter = SessionChanges.issuedCounter(credentialId)
        // The counter first: a session that is issued after it makes the commit a conflict.
        const found = yield* read({ records: [{ kind: "Wallet", id: accountId }], counters: [counter] })
        const sessions = yield* listAll("Session", {
          authMethodId: { eq: credentialId },
          ...activeAt(yield* Clock.currentTimeMillis),
        })
        const signing = yield* requests.load(read, {
          operation: "DELETE /auth/credentials/{id}",
          target: credential,
          headers,
          admits: sessionNotOf(accountId, credentialId),
          payload: SigningPayload.revokeCredential({ ...credential, accountId }, credentialId, credential.data),
          type,
        })
        const wallet = found.record("Wallet", accountId)
        return { credential, wallet, sessions, signing, counter, issued: found.counter(counter) }
      })

      const revoke = Effect.fnUntraced(
        function* (credentialId: string, headers: WalletHeaders) {
          return yield* Operation.run({
            name: "Credentials.revoke",
            load: (read) => loadRevocation(read, credentialId, headers),
            decide: ({ counter, credential, issued, sessions, signing, wallet }, context) =>
              decideSigned(signing, context, () => {
                const last = RevocationRules.first({ credentials: wallet?.data.credentialIds.length ?? 0 })
                if (last !== undefined || wallet === undefined) {
                  return Operation.refuse(last?.refusal ?? unauthorizedFor("SESSION_NOT_ACTIVE"))
                }
                return Operation.answer(
                  204,
                  null,
                  Changes.combine(removeCredential(wallet, credential), ...sessions.map(SessionChanges.revoke), {
                    counters: [{ key: counter, customerId: credential.customerId, delta: 0, expected: issued }],
                  }),
                )
              }),
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
  )
}
