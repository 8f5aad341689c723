/**
 * The proof that a wallet is its owner's: a challenge is opened, and answered by a signature or by a liveness check.
 * Source: wire contract 2.1, 2.6 and 2.7; D-051, D-052.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { transitionAccount, withoutChallenge } from "../../decision/account/ExternalAccountChanges.ts"
import { invalidInput, type Refusal, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { AccountTypes } from "../../model/account/AccountTypes.ts"
import type { ExternalAccount } from "../../model/account/ExternalAccount.ts"
import { type ExternalAccountResource, toExternalAccount } from "../../model/account/ExternalAccountResource.ts"
import { challengeRefusal, selfCustodyAddress } from "../../model/account/ExternalAccountRules.ts"
import {
  challengeLifetimeMillis,
  messageToSign,
  type OwnershipChallenge,
  type OwnershipMethod,
} from "../../model/account/OwnershipChallenge.ts"
import type { OwnershipChallengeResource, OwnershipVerifyRequest } from "../../model/account/OwnershipResource.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { OwnershipChecks } from "../../ports/Ownership.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"
import { type AccountScope, readExternalAccount } from "./ExternalAccountReads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Account = Stored<"ExternalAccount">

/** An open question: what the owner is told, and what is kept of it. */
interface Question {
  readonly shown: OwnershipChallengeResource
  readonly kept: OwnershipChallenge
}

const notOffered = (message: string): Refusal =>
  invalidInput([{ field: "method", message, constraint: { format: "offered-method" } }])

const ownerSignatureOf = ({ accountInfo }: ExternalAccount) =>
  AccountTypes.find(accountInfo.accountType)?.ownerSignature

const noChallenge: Refusal = {
  code: "CONFLICT",
  message: "No signature challenge is open: ask for one first.",
  details: { reason: "NO_CHALLENGE_OPEN" },
}

const failed = (reason: "SIGNATURE_INVALID" | "CHALLENGE_EXPIRED"): Refusal => {
  const message =
    reason === "SIGNATURE_INVALID"
      ? "is not the wallet's signature of the message"
      : "comes too late: the challenge has expired"
  return {
    code: "INVALID_INPUT",
    message: `signature: ${message}; ask for a new challenge.`,
    details: { reason, errors: [{ field: "signature", message }] },
  }
}

/** The account with an open challenge; one that failed before waits again. */
const opened = (
  account: Account,
  kept: OwnershipChallenge,
  { ids, now }: Operation.DecisionContext,
): Changes.Changes => {
  const data: ExternalAccount = { ...account.data, challenge: kept }
  return account.data.status === "UNVERIFIED"
    ? transitionAccount(ids, now, account, "Challenge", data).changes
    : Changes.update(account, data)
}

export class Ownerships extends Context.Service<
  Ownerships,
  {
    /** Opens a challenge in the place of an open one. Errors: `REFERENCE_NOT_FOUND`, `CONFLICT`, `INVALID_INPUT`. */
    readonly challenge: (
      of: AccountScope,
      accountId: string,
      method: OwnershipMethod,
    ) => Result<Operation.Answered<OwnershipChallengeResource>>
    /** Right: `ACTIVE`. Wrong or late: `INVALID_INPUT`, and the account is `UNVERIFIED`. */
    readonly verify: (
      of: AccountScope,
      accountId: string,
      request: OwnershipVerifyRequest,
    ) => Result<Operation.Answered<ExternalAccountResource>>
    /** How a liveness check ended, as its platform; a second report is dropped. */
    readonly report: (accountId: string, isOwner: boolean) => Result<void>
  }
>()("@countersign/core/Ownerships") {
  static readonly layer = Layer.effect(
    Ownerships,
    Effect.gen(function* () {
      const checks = yield* OwnershipChecks
      const random = yield* SecureRandom.SecureRandom
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const bySignature = Effect.fnUntraced(function* ({ data, id }: Account) {
        const address = selfCustodyAddress(data)
        if (ownerSignatureOf(data) === undefined || address === undefined) {
          return yield* new ServiceError(notOffered("must be LIVENESS: wallets of this type sign no messages"))
        }
        const expiresAt = (yield* Clock.currentTimeMillis) + challengeLifetimeMillis
        const message = messageToSign({ id, address, nonce: Hex.encode(yield* random.randomBytes(16)), expiresAt })
        const question: Question = {
          shown: { method: "WALLET_SIGNATURE", messageToSign: message, expiresAt: iso(expiresAt) },
          kept: { method: "WALLET_SIGNATURE", message, expiresAt },
        }
        return question
      })

      const byLiveness = Effect.fnUntraced(function* ({ customerId, id }: Account) {
        const session = yield* checks.startLiveness({ accountId: id, customerId })
        if (session === undefined) {
          return yield* new ServiceError(notOffered("must be WALLET_SIGNATURE: there is no liveness check here"))
        }
        const { expiresAt, ...link } = session
        const question: Question = {
          shown: { method: "LIVENESS", ...link, expiresAt: iso(expiresAt) },
          kept: { method: "LIVENESS", expiresAt },
        }
        return question
      })

      const loadQuestion = Effect.fnUntraced(function* (
        read: Operation.Read,
        of: AccountScope,
        accountId: string,
        method: OwnershipMethod,
      ) {
        const account = yield* readExternalAccount(read, accountId, of)
        const refusal = challengeRefusal(account.data)
        if (refusal !== undefined) return yield* new ServiceError(refusal)
        return { account, question: yield* method === "LIVENESS" ? byLiveness(account) : bySignature(account) }
      })

      const challenge = Effect.fnUntraced(
        function* (of: AccountScope, accountId: string, method: OwnershipMethod) {
          return yield* Operation.run({
            name: "Ownerships.challenge",
            load: (read) => loadQuestion(read, of, accountId, method),
            decide: ({ account, question: { kept, shown } }, context) =>
              Operation.answer(201, shown, opened(account, kept, context)),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const loadAnswer = Effect.fnUntraced(function* (
        read: Operation.Read,
        of: AccountScope,
        accountId: string,
        { signature, signatureScheme = "bip137" }: OwnershipVerifyRequest,
      ) {
        const account = yield* readExternalAccount(read, accountId, of)
        const { challenge: open } = account.data
        const kind = ownerSignatureOf(account.data)
        const address = selfCustodyAddress(account.data)
        if (open?.method !== "WALLET_SIGNATURE" || kind === undefined || address === undefined) {
          return yield* new ServiceError(noChallenge)
        }
        const { expiresAt, message } = open
        const check = { kind, address, message, signature: signature.trim(), scheme: signatureScheme }
        return { account, expiresAt, isSigned: yield* checks.verifySignature(check) }
      })

      const verify = Effect.fnUntraced(
        function* (of: AccountScope, accountId: string, request: OwnershipVerifyRequest) {
          return yield* Operation.run({
            name: "Ownerships.verify",
            load: (read) => loadAnswer(read, of, accountId, request),
            decide: ({ account, expiresAt, isSigned }, { ids, now }) => {
              const data = withoutChallenge(account.data)
              const refusal =
                now >= expiresAt ? failed("CHALLENGE_EXPIRED") : isSigned ? undefined : failed("SIGNATURE_INVALID")
              if (refusal !== undefined)
                return Operation.refuse(refusal, transitionAccount(ids, now, account, "FailProof", data).changes)
              const proven = transitionAccount(ids, now, account, "Prove", data)
              return Operation.answer(200, toExternalAccount(proven.account), {
                ...proven.changes,
                validUntil: expiresAt,
              })
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const report = Effect.fnUntraced(
        function* (accountId: string, isOwner: boolean) {
          yield* Operation.run({
            name: "Ownerships.report",
            load: (read) => readExternalAccount(read, accountId),
            decide: (account, { ids, now }) => {
              const isOpen = account.data.challenge?.method === "LIVENESS"
              if (!isOpen) return Operation.answer(200, null)
              const data = withoutChallenge(account.data)
              return Operation.answer(
                200,
                null,
                transitionAccount(ids, now, account, isOwner ? "Prove" : "FailProof", data).changes,
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Ownerships.of({ challenge, verify, report })
    }),
  )
}
