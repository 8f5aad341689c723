/**
 * Looks up receivers before they are paid: their currencies, the limits, and the information that they require about the payer.
 * Source: wire contract 5.10; D-250.
 */
import { Context, Effect, Layer } from "effect"
import { currenciesOnWire, lookupIdOf } from "../../decision/receiver/ReceiverDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { OfferedRate } from "../../foundation/money/Rate.ts"
import { identity } from "../../foundation/money/Rate.ts"
import { isSameUmaAddress } from "../../model/customer/UmaAddress.ts"
import type { Platform } from "../../model/platform/Platform.ts"
import { limitsOf } from "../../model/quote/QuoteTermRules.ts"
import type { UmaCurrency } from "../../model/receiver/FoundReceiver.ts"
import type {
  ReceiverExternalAccountLookupResponse,
  ReceiverUmaLookupResponse,
} from "../../model/receiver/ReceiverResource.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import { ExchangeRates } from "../../ports/ExchangeRates.ts"
import { UmaNetwork } from "../../ports/UmaNetwork.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { askReceiver, findCustomerByUmaAddress, loadReceiver } from "./ReceiverReads.ts"

/** The payer: a customer, by its id or its UMA address; absent: the platform itself. */
export interface Sender {
  readonly customerId?: string
  readonly senderUmaAddress?: string
}

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

export class Receivers extends Context.Service<
  Receivers,
  {
    /** Errors: `INVALID_UMA_ADDRESS`, `UMA_NOT_FOUND`, `USER_NOT_FOUND`, and failures of the network. */
    readonly lookupUma: (address: string, sender: Sender) => Result<ReceiverUmaLookupResponse>
    /** Errors: `REFERENCE_NOT_FOUND`, `USER_NOT_FOUND`. */
    readonly lookupExternalAccount: (accountId: string, sender: Sender) => Result<ReceiverExternalAccountLookupResponse>
  }
>()("@countersign/core/Receivers") {
  static readonly layer = Layer.effect(
    Receivers,
    Effect.gen(function* () {
      const store = yield* Store
      const rates = yield* ExchangeRates
      const network = yield* UmaNetwork

      const senderNotFound = new ServiceError(notFound("customer", "USER_NOT_FOUND"))

      const loadSender = Effect.fnUntraced(function* (platform: Platform, { customerId, senderUmaAddress }: Sender) {
        if (customerId === undefined && senderUmaAddress === undefined) return undefined
        const sender =
          customerId === undefined
            ? yield* findCustomerByUmaAddress(platform, senderUmaAddress ?? "")
            : (yield* store.read({ records: [{ kind: "Customer", id: customerId }] })).record("Customer", customerId)
        if (sender === undefined || sender.data.isDeleted) return yield* senderNotFound
        const hasAddress = senderUmaAddress === undefined || isSameUmaAddress(sender.data.umaAddress, senderUmaAddress)
        return hasAddress ? sender : yield* senderNotFound
      })

      /** Loads what every lookup needs: the platform, the payer, and the payer's currency. */
      const loadPayer = Effect.fnUntraced(function* (payer: Sender) {
        const { platformId } = yield* CurrentCaller
        const platform = yield* readExisting(store.read, "Platform", platformId, notFound("platform"))
        const sender = yield* loadSender(platform.data, payer)
        const [first] =
          sender?.data.currencies ?? platform.data.supportedCurrencies.map(({ currencyCode }) => currencyCode)
        const sending: CurrencyCode = first ?? "USD"
        return { platform, sender, sending }
      })

      const askRates = Effect.fnUntraced(function* (sending: CurrencyCode, currencies: ReadonlyArray<UmaCurrency>) {
        const offered = yield* Effect.forEach(currencies, ({ code }) =>
          code === sending ? Effect.succeed<OfferedRate | undefined>(identity(code)) : rates.rate(sending, code),
        )
        return new Map(offered.flatMap((rate) => (rate === undefined ? [] : [[rate.to, rate] as const])))
      })

      const lookupUma = Effect.fnUntraced(function* (address: string, payer: Sender) {
        const { platform, sender, sending } = yield* loadPayer(payer)
        const found =
          (yield* loadReceiver(platform.data, address, "receiverUmaAddress")) ??
          (yield* askReceiver(address, sender?.data.umaAddress))
        if (found._tag === "Refused") return yield* new ServiceError(found.refusal)
        const { currencies, requiredPayerData } = found
        const offered = yield* askRates(sending, currencies)
        return {
          receiverUmaAddress: address,
          supportedCurrencies: currenciesOnWire(platform.data, currencies, offered),
          requiredPayerDataFields: requiredPayerData,
          lookupId: lookupIdOf(platform.id, address),
        }
      })

      const lookupExternalAccount = Effect.fnUntraced(function* (accountId: string, payer: Sender) {
        const { platform, sending } = yield* loadPayer(payer)
        const isVisible = ({ data }: Stored<"ExternalAccount">) => !data.isDeleted
        const refusal = notFound("external account")
        const account = yield* readExisting(store.read, "ExternalAccount", accountId, refusal, isVisible)
        const code = account.data.currency
        const currencies = [{ code, ...limitsOf(platform.data, code) }]
        const offered = yield* askRates(sending, currencies)
        return {
          accountId,
          supportedCurrencies: currenciesOnWire(platform.data, currencies, offered),
          requiredPayerDataFields: [],
          lookupId: lookupIdOf(platform.id, accountId),
        }
      })

      const forPlatform = <A, E>(effect: Effect.Effect<A, E, Store | CurrentCaller>) =>
        platformOnly(effect).pipe(Effect.provideService(Store, store), Effect.provideService(UmaNetwork, network))

      return Receivers.of({
        lookupUma: (address, sender) => forPlatform(lookupUma(address, sender)),
        lookupExternalAccount: (accountId, sender) => forPlatform(lookupExternalAccount(accountId, sender)),
      })
    }),
  )
}
