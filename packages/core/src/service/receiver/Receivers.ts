/**
 * Receivers, looked up before they are paid: in which currencies they receive, within which bounds, and what they want to know.
 * Source: wire contract 5.10; D-250.
 */
import { Context, Effect, Layer } from "effect"
import { currenciesOnWire, lookupIdOf } from "../../decision/receiver/ReceiverDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { OfferedRate } from "../../foundation/money/Rate.ts"
import { identity } from "../../foundation/money/Rate.ts"
import { limitsOf } from "../../model/quote/QuoteTermRules.ts"
import type { UmaCurrency } from "../../model/receiver/FoundReceiver.ts"
import type {
  ReceiverExternalAccountLookupResponse,
  ReceiverUmaLookupResponse,
} from "../../model/receiver/ReceiverResource.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { ExchangeRates } from "../../ports/ExchangeRates.ts"
import { UmaNetwork } from "../../ports/UmaNetwork.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { findCustomerByUmaAddress, findReceiver } from "./ReceiverReads.ts"

/** Who wants to pay: a customer, by its id or its address; absent: the platform itself. */
export interface Sender {
  readonly customerId?: string
  readonly senderUmaAddress?: string
}

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

export class Receivers extends Context.Service<
  Receivers,
  {
    /** Errors: `INVALID_UMA_ADDRESS`, `UMA_NOT_FOUND`, `USER_NOT_FOUND`, and trouble of the other side. */
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

      const noSender = new ServiceError(notFound("customer", "USER_NOT_FOUND"))

      const senderOf = Effect.fnUntraced(function* ({ customerId, senderUmaAddress }: Sender) {
        if (customerId === undefined && senderUmaAddress === undefined) return undefined
        const found =
          customerId === undefined
            ? yield* findCustomerByUmaAddress(senderUmaAddress ?? "")
            : (yield* store.read({ records: [{ kind: "Customer", id: customerId }] })).record("Customer", customerId)
        const isNamed = senderUmaAddress === undefined || found?.data.umaAddress === senderUmaAddress
        return found === undefined || found.data.isDeleted || !isNamed ? yield* noSender : found
      })

      /** What every lookup rests on: the platform, and who pays in which currency. */
      const begin = Effect.fnUntraced(function* (asked: Sender) {
        const { platformId } = yield* CurrentCaller
        const read = yield* store.read({ records: [{ kind: "Platform", id: platformId }] })
        const platform = read.record("Platform", platformId) ?? (yield* new ServiceError(notFound("platform")))
        const sender = yield* senderOf(asked)
        const [first] = sender?.data.currencies ?? platform.data.supportedCurrencies.map((one) => one.currencyCode)
        const sending: CurrencyCode = first ?? "USD"
        return { platform, sender, sending }
      })

      const ratesFrom = Effect.fnUntraced(function* (sending: CurrencyCode, currencies: ReadonlyArray<UmaCurrency>) {
        const known = yield* Effect.forEach(currencies, ({ code }) =>
          code === sending ? Effect.succeed<OfferedRate | undefined>(identity(code)) : rates.rate(sending, code),
        )
        return new Map(known.flatMap((rate) => (rate === undefined ? [] : [[rate.to, rate] as const])))
      })

      const lookupUma = Effect.fnUntraced(function* (address: string, asked: Sender) {
        const { platform, sender, sending } = yield* begin(asked)
        const found = yield* findReceiver(platform.data, address, sender?.data.umaAddress, "receiverUmaAddress")
        if (found._tag === "Refused") return yield* new ServiceError(found.refusal)
        const { currencies, requiredPayerData } = found
        return {
          receiverUmaAddress: address,
          supportedCurrencies: currenciesOnWire(platform.data, currencies, yield* ratesFrom(sending, currencies)),
          requiredPayerDataFields: requiredPayerData,
          lookupId: lookupIdOf(platform.id, address),
        }
      })

      const lookupExternalAccount = Effect.fnUntraced(function* (accountId: string, asked: Sender) {
        const { platform, sending } = yield* begin(asked)
        const read = yield* store.read({ records: [{ kind: "ExternalAccount", id: accountId }] })
        const account = read.record("ExternalAccount", accountId)
        if (account === undefined || account.data.isDeleted) {
          return yield* new ServiceError(notFound("external account"))
        }
        const code = account.data.currency
        const currencies = [{ code, ...limitsOf(platform.data, code) }]
        return {
          accountId,
          supportedCurrencies: currenciesOnWire(platform.data, currencies, yield* ratesFrom(sending, currencies)),
          requiredPayerDataFields: [],
          lookupId: lookupIdOf(platform.id, accountId),
        }
      })

      const asking = <A, E>(effect: Effect.Effect<A, E, Store | CurrentCaller>) =>
        platformOnly(effect).pipe(Effect.provideService(Store, store), Effect.provideService(UmaNetwork, network))

      return Receivers.of({
        lookupUma: (address, sender) => asking(lookupUma(address, sender)),
        lookupExternalAccount: (accountId, sender) => asking(lookupExternalAccount(accountId, sender)),
      })
    }),
  )
}
