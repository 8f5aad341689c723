/**
 * What a wallet's person may do with the wallet itself: take its words along, and choose its privacy.
 * Spec: 4.5 (export, update wallet privacy); wire contract 4.7, 4.9 and 4.10; D-146.
 */
import { entropyToMnemonic } from "@scure/bip39"
import { wordlist } from "@scure/bip39/wordlists/english.js"
import { Context, Effect, Layer, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { decideSigned } from "../../decision/wallet/SignedDecision.ts"
import * as ExportBundle from "../../foundation/crypto/ExportBundle.ts"
import type { Hpke } from "../../foundation/crypto/Hpke.ts"
import { P256 } from "../../foundation/crypto/P256.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { type InternalAccountResource, toInternalAccount } from "../../model/account/InternalAccountResource.ts"
import type { InternalAccountUpdateRequest, WalletExportRequest } from "../../model/wallet/CredentialRequest.ts"
import type { WalletExportResponse } from "../../model/wallet/CredentialResource.ts"
import { anySessionOf, type SignedRequestChallenge, type WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import * as SigningPayload from "../../model/wallet/SigningPayload.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { KeyVault } from "../../ports/KeyVault.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"
import { clientKey } from "./SessionKey.ts"
import { SignedRequests } from "./SignedRequests.ts"
import { isRetry, readWallet } from "./WalletReads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** 128 bits: twelve words. */
const entropyBytes = 16

export class Wallets extends Context.Service<
  Wallets,
  {
    /** 202, then the wallet's words, sealed to the client. Errors: 404, those of signed requests. */
    readonly exportWords: (
      accountId: string,
      request: WalletExportRequest,
      headers: WalletHeaders,
    ) => Result<Operation.Answered<WalletExportResponse | SignedRequestChallenge>>
    /** 202, then the account. Errors: 404, those of signed requests. */
    readonly update: (
      accountId: string,
      request: InternalAccountUpdateRequest,
      headers: WalletHeaders,
    ) => Result<Operation.Answered<InternalAccountResource | SignedRequestChallenge>>
  }
>()("@countersign/core/Wallets") {
  static readonly layer = Layer.effect(
    Wallets,
    Effect.gen(function* () {
      const vault = yield* KeyVault
      const p256 = yield* P256
      const requests = yield* SignedRequests
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | P256 | Hpke>()
      const quorum = yield* p256.derive(yield* vault.derive("quorum", ""))

      const mnemonicOf = (accountId: string) =>
        Effect.map(vault.derive("wallet", accountId), (key) =>
          Redacted.make(entropyToMnemonic(Redacted.value(key).subarray(0, entropyBytes), wordlist), {
            label: "mnemonic",
          }),
        )

      const loadExport = Effect.fnUntraced(function* (
        read: Operation.Read,
        accountId: string,
        request: WalletExportRequest,
        headers: WalletHeaders,
      ) {
        const { account } = yield* readWallet(read, accountId)
        const client = yield* clientKey(request.clientPublicKey)
        const signing = yield* requests.load(read, {
          operation: "POST /internal-accounts/{id}/export",
          target: account,
          body: request,
          headers,
          admits: anySessionOf(accountId),
          payload: SigningPayload.exportWallet(accountId, request.clientPublicKey),
        })
        const sealed = isRetry(headers)
          ? yield* ExportBundle.seal(quorum, client, {
              mnemonic: yield* mnemonicOf(accountId),
              organizationId: accountId,
            })
          : undefined
        return { account, signing, sealed }
      })

      const exportWords = Effect.fnUntraced(
        function* (accountId: string, request: WalletExportRequest, headers: WalletHeaders) {
          return yield* Operation.run({
            name: "Wallets.exportWords",
            load: (read) => loadExport(read, accountId, request, headers),
            decide: ({ account, sealed, signing }, context) =>
              decideSigned(signing, context, (): Operation.Decision<WalletExportResponse> => {
                const answer = { id: account.id, encryptedWalletCredentials: sealed ?? "" }
                return Operation.answer(200, answer, Changes.guard(account))
              }),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const loadUpdate = Effect.fnUntraced(function* (
        read: Operation.Read,
        accountId: string,
        request: InternalAccountUpdateRequest,
        headers: WalletHeaders,
      ) {
        const { account } = yield* readWallet(read, accountId)
        const signing = yield* requests.load(read, {
          operation: "PATCH /internal-accounts/{id}",
          target: account,
          body: request,
          headers,
          admits: anySessionOf(accountId),
          payload: SigningPayload.signRaw(accountId, { ...request }),
        })
        return { account, signing }
      })

      const update = Effect.fnUntraced(
        function* (accountId: string, request: InternalAccountUpdateRequest, headers: WalletHeaders) {
          return yield* Operation.run({
            name: "Wallets.update",
            load: (read) => loadUpdate(read, accountId, request, headers),
            decide: ({ account, signing }, context) => {
              const placeholders = Ledger.balancePlaceholders(accountId)
              const observes = [Ledger.available(accountId), Ledger.held(accountId)]
              return decideSigned(signing, context, (): Operation.Decision<InternalAccountResource> => {
                const data = { ...account.data, privateEnabled: request.privateEnabled }
                const after = Changes.after(account, data, context.now)
                return Operation.answer(
                  200,
                  toInternalAccount(after, { available: 0, held: 0 }),
                  Changes.combine(Changes.update(account, data), { observes }),
                  placeholders,
                )
              })
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Wallets.of({ exportWords, update })
    }),
  )
}
