/**
 * Simulated payments to a customer's UMA address: the receiving account is found, and the payment is announced for approval.
 * Spec: 4.6 (POST /sandbox/uma/receive); wire contract 6.3, 7.1 and 7.2; D-252.
 */
import { Context, Effect, Layer } from "effect"
import { arrivalOf, invalidArrival } from "../../decision/receiver/UmaArrivalDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as Outside from "../../foundation/kit/Outside.ts"
import type { SandboxUmaReceiveRequest } from "../../model/receiver/ReceiverResource.ts"
import { umaAddressNotFound } from "../../model/receiver/UmaRefusals.ts"
import type { IncomingTransactionResource } from "../../model/transaction/TransactionResource.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { IncomingPayments } from "../transaction/IncomingPayments.ts"
import { findCustomerByUmaAddress, readReceivingAccounts } from "./ReceiverReads.ts"

const customerNotFound = notFound("customer", "USER_NOT_FOUND")

const loadCustomer = Effect.fnUntraced(function* ({ customerId, receiverUmaAddress = "" }: SandboxUmaReceiveRequest) {
  const store = yield* Store
  if (customerId !== undefined) {
    return yield* readExisting(store.read, "Customer", customerId, customerNotFound, ({ data }) => !data.isDeleted)
  }
  const { platformId } = yield* CurrentCaller
  const platform = yield* readExisting(store.read, "Platform", platformId, notFound("platform"))
  return (
    (yield* findCustomerByUmaAddress(platform.data, receiverUmaAddress)) ??
    (yield* new ServiceError(umaAddressNotFound))
  )
})

export class UmaArrivals extends Context.Service<
  UmaArrivals,
  {
    /** Errors: `INVALID_UMA_ADDRESS`, `UMA_NOT_FOUND`, `USER_NOT_FOUND`, `INVALID_CURRENCY`. */
    readonly receive: (
      request: SandboxUmaReceiveRequest,
    ) => Effect.Effect<IncomingTransactionResource, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/UmaArrivals") {
  static readonly layer = Layer.effect(
    UmaArrivals,
    Effect.gen(function* () {
      const store = yield* Store
      const payments = yield* IncomingPayments

      const receive = Effect.fnUntraced(function* (request: SandboxUmaReceiveRequest) {
        const invalid = invalidArrival(request)
        if (invalid !== undefined) return yield* new ServiceError(invalid)
        const customer = yield* loadCustomer(request)
        const accounts = yield* readReceivingAccounts(customer.id)
        const announcement = arrivalOf(request, customer, accounts)
        if ("code" in announcement) return yield* new ServiceError(announcement)
        return (yield* payments.receive(announcement)).body
      })

      return UmaArrivals.of({
        receive: (request) => platformOnly(receive(Outside.clean(request))).pipe(Effect.provideService(Store, store)),
      })
    }),
  )
}
