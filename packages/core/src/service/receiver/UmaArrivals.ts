/**
 * Payments that arrive for a customer's UMA address: found the account that takes them, and announced as any payment that asks.
 * Spec: 4.6 (POST /sandbox/uma/receive); wire contract 6.3, 7.1 and 7.2; D-252.
 */
import { Context, Effect, Layer } from "effect"
import { invalidInput, notFound, type Refusal, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { isUmaAddress } from "../../model/customer/UmaAddress.ts"
import type { SandboxUmaReceiveRequest } from "../../model/receiver/ReceiverResource.ts"
import type { RequestedField } from "../../model/transaction/Transaction.ts"
import type { IncomingTransactionResource } from "../../model/transaction/TransactionResource.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { IncomingPayments } from "../transaction/IncomingPayments.ts"
import {
  findCustomerByUmaAddress,
  invalidUmaAddress,
  readReceivingAccounts,
  umaAddressNotFound,
} from "./ReceiverReads.ts"

/** What the sender's side asks for, where it may. */
const requestedFields: ReadonlyArray<RequestedField> = [{ name: "FULL_NAME", mandatory: false }]

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
      const refuse = (refusal: Refusal) => Effect.fail(new ServiceError(refusal))

      const customerOf = Effect.fnUntraced(function* ({ customerId, receiverUmaAddress }: SandboxUmaReceiveRequest) {
        if ((customerId === undefined) === (receiverUmaAddress === undefined)) {
          const message = "exactly one of receiverUmaAddress and customerId is required"
          return yield* refuse(invalidInput([{ field: "receiverUmaAddress", message }]))
        }
        if (customerId !== undefined) {
          const read = yield* store.read({ records: [{ kind: "Customer", id: customerId }] })
          const customer = read.record("Customer", customerId)
          return customer === undefined || customer.data.isDeleted
            ? yield* refuse(notFound("customer", "USER_NOT_FOUND"))
            : customer
        }
        const address = receiverUmaAddress ?? ""
        if (!isUmaAddress(address)) return yield* refuse(invalidUmaAddress("receiverUmaAddress"))
        return (yield* findCustomerByUmaAddress(address)) ?? (yield* refuse(umaAddressNotFound))
      })

      const receive = Effect.fnUntraced(function* (request: SandboxUmaReceiveRequest) {
        const { receivingCurrencyAmount: amount, receivingCurrencyCode: code, senderUmaAddress } = request
        if (!isUmaAddress(senderUmaAddress)) return yield* refuse(invalidUmaAddress("senderUmaAddress"))
        const customer = yield* customerOf(request)
        if (senderUmaAddress.toLowerCase() === customer.data.umaAddress.toLowerCase()) {
          return yield* refuse({ code: "SELF_PAYMENT", message: "Sender and receiver are the same address." })
        }
        const account = (yield* readReceivingAccounts(customer.id)).find(({ data }) => data.currency === code)
        if (account === undefined) {
          return yield* refuse({
            code: "INVALID_CURRENCY",
            message: `The customer has no active account in ${code}.`,
            details: { field: "receivingCurrencyCode" },
          })
        }
        const announced = {
          destinationAccountId: account.id,
          amount,
          senderUmaAddress,
          requestedFields,
          isSimulated: true,
        }
        return (yield* payments.receive(announced)).body
      })

      return UmaArrivals.of({
        receive: (request) => platformOnly(receive(request)).pipe(Effect.provideService(Store, store)),
      })
    }),
  )
}
