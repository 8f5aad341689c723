/**
 * Exports a wallet's words and changes its privacy, both signed by its owner.
 * Spec: 4.5 (export, update wallet privacy); wire contract 4.7, 4.9 and 4.10; D-146.
 */
import { entropyToMnemonic } from "@scure/bip39"
import { wordlist } from "@scure/bip39/wordlists/english.js"
import { Context, Effect, Layer, Redacted, Result } from "effect"
import type { SecureRandom } from "effect/crypto"
import { decideWalletExport, decideWalletPrivacy } from "../../decision/wallet/WalletDecision.ts"
import * as ExportBundle from "../../foundation/crypto/ExportBundle.ts"
import type { Hpke } from "../../foundation/crypto/Hpke.ts"
import { P256 } from "../../foundation/crypto/P256.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { InternalAccountResource } from "../../model/account/InternalAccountResource.ts"
import type { InternalAccountUpdateRequest, WalletExportRequest } from "../../model/wallet/CredentialRequest.ts"
import type { WalletExportResponse } from "../../model/wallet/CredentialResource.ts"
import {
  anySessionOf,
  isRetry,
  type SignedRequestChallenge,
  type WalletHeaders,
} from "../../model/wallet/SignedRequest.ts"
import * as SigningPayload from "../../model/wallet/SigningPayload.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { KeyVault } from "../../ports/KeyVault.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"
import { makeFundingSets } from "../account/FundingSets.ts"
import { deriveOfWallet } from "./RootVault.ts"
import { parseClientKey } from "./SessionKeys.ts"
import { SignedRequests } from "./SignedRequests.ts"
import { readWallet } from "./WalletReads.ts"

type Reply<A> = Effect.Effect<
  Operation.Answered<A | SignedRequestChallenge>,
  ServiceError | StoreUnavailable,
  CurrentCaller
>

type LoadedWallet = Effect.Success<ReturnType<typeof readWallet>>

/** 128 bits of entropy make twelve words. */
const entropyBytes = 16

export class Wallets extends Context.Service<
  Wallets,
  {
    /** 202, then the wallet's words, sealed to the client. Errors: 404, those of signed requests. */
    readonly exportWords: (
      accountId: string,
      request: WalletExportRequest,
      headers: WalletHeaders,
    ) => Reply<WalletExportResponse>
    /** 202, then the account. Errors: 404, those of signed requests. */
    readonly update: (
      accountId: string,
      request: InternalAccountUpdateRequest,
      headers: WalletHeaders,
    ) => Reply<InternalAccountResource>
  }
>()("@countersign/core/Wallets") {
  static readonly layer = Layer.effect(
    Wallets,
    Effect.gen(function* () {
      const vault = yield* KeyVault
      const p256 = yield* P256
      const requests = yield* SignedRequests
      const funding = yield* makeFundingSets
      const services = yield* Effect.context<Store | KeyVault | WallTime | SecureRandom.SecureRandom | P256 | Hpke>()
      const quorum = yield* p256.derive(yield* vault.derive("quorum", ""))

      const mnemonicOf = (accountId: string, rootId: string | undefined) =>
        Effect.map(deriveOfWallet("wallet", accountId, rootId), (key) =>
          Redacted.make(entropyToMnemonic(Redacted.value(key).subarray(0, entropyBytes), wordlist), {
            label: "mnemonic",
          }),
        )

      /** Seals the words to the client if the call is signed. */
      const sealWords = Effect.fnUntraced(function* (
        { account: { id: accountId }, wallet }: LoadedWallet,
        { clientPublicKey }: WalletExportRequest,
        headers: WalletHeaders,
      ) {
        const client = yield* parseClientKey(clientPublicKey)
        if (Result.isFailure(client)) return Result.fail(client.failure)
        if (!isRetry(headers)) return Result.succeed("")
        const mnemonic = yield* mnemonicOf(accountId, wallet?.data.rootId)
        const bundle = { mnemonic, organizationId: accountId }
        return Result.succeed(yield* ExportBundle.seal(quorum, client.success, bundle))
      })

      const askExport = Effect.fnUntraced(function* (
        read: Operation.Read,
        loaded: LoadedWallet,
        request: WalletExportRequest,
        headers: WalletHeaders,
      ) {
        const { account } = loaded
        const sealedWords = yield* sealWords(loaded, request, headers)
        if (Result.isFailure(sealedWords)) return { sealedWords, signing: undefined }
        const signing = yield* requests.verify(read, {
          operation: "POST /internal-accounts/{id}/export",
          target: account,
          body: request,
          headers,
          allowedSigner: anySessionOf(account.id),
          payload: SigningPayload.exportWallet(account.id, request.clientPublicKey),
        })
        return { sealedWords, signing }
      })

      const exportWords = Effect.fnUntraced(
        function* (accountId: string, request: WalletExportRequest, headers: WalletHeaders) {
          return yield* Operation.run({
            name: "Wallets.exportWords",
            load: (read) => readWallet(read, accountId),
            ask: (loaded, read) => askExport(read, loaded, request, headers),
            decide: decideWalletExport,
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const askPrivacy = Effect.fnUntraced(function* (
        read: Operation.Read,
        account: Stored<"InternalAccount">,
        request: InternalAccountUpdateRequest,
        headers: WalletHeaders,
      ) {
        const signing = yield* requests.verify(read, {
          operation: "PATCH /internal-accounts/{id}",
          target: account,
          body: request,
          headers,
          allowedSigner: anySessionOf(account.id),
          payload: SigningPayload.signRaw(account.id, { ...request }),
        })
        const { customerId } = account
        const owner = customerId === null ? undefined : yield* read({ records: [{ kind: "Customer", id: customerId }] })
        const customer = customerId === null ? undefined : owner?.record("Customer", customerId)
        return { signing, instructions: yield* funding.setOf(account, customer) }
      })

      const update = Effect.fnUntraced(
        function* (accountId: string, request: InternalAccountUpdateRequest, headers: WalletHeaders) {
          return yield* Operation.run({
            name: "Wallets.update",
            load: (read) => readWallet(read, accountId),
            ask: ({ account }, read) => askPrivacy(read, account, request, headers),
            decide: decideWalletPrivacy(request.privateEnabled),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Wallets.of({ exportWords, update })
    }),
  )
}
