/**
 * Decides which account receives a simulated payment to a customer's UMA address.
 * Spec: 4.6 (POST /sandbox/uma/receive); wire contract 6.3, 7.1 and 7.2; D-252.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { isSameUmaAddress, isUmaAddress } from "../../model/customer/UmaAddress.ts"
import type { SandboxUmaReceiveRequest } from "../../model/receiver/ReceiverResource.ts"
import { invalidUmaAddress } from "../../model/receiver/UmaRefusals.ts"
import type { RequestedField } from "../../model/transaction/Transaction.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { PaymentAnnouncement } from "../transaction/ArrivalDecision.ts"

/** The fields that the simulated sender requests about the receiver. */
const requestedFields: ReadonlyArray<RequestedField> = [{ name: "FULL_NAME", mandatory: false }]

/** What is wrong with the request itself, or `undefined`. */
export const invalidArrival = ({
  customerId,
  receiverUmaAddress,
  senderUmaAddress,
}: SandboxUmaReceiveRequest): Refusal | undefined => {
  if (!isUmaAddress(senderUmaAddress)) return invalidUmaAddress("senderUmaAddress")
  if ((customerId === undefined) === (receiverUmaAddress === undefined)) {
    const message = "exactly one of receiverUmaAddress and customerId is required"
    return invalidInput([{ field: "receiverUmaAddress", message }])
  }
  return receiverUmaAddress === undefined || isUmaAddress(receiverUmaAddress)
    ? undefined
    : invalidUmaAddress("receiverUmaAddress")
}

/** The announcement of the payment, or why it cannot arrive. `accounts`: the customer's accounts that can receive. */
export const arrivalOf = (
  { receivingCurrencyAmount: amount, receivingCurrencyCode: code, senderUmaAddress }: SandboxUmaReceiveRequest,
  customer: Stored<"Customer">,
  accounts: ReadonlyArray<Stored<"InternalAccount">>,
): PaymentAnnouncement | Refusal => {
  if (isSameUmaAddress(senderUmaAddress, customer.data.umaAddress)) {
    return { code: "SELF_PAYMENT", message: "Sender and receiver are the same address." }
  }
  const account = accounts.find(({ data }) => data.currency === code)
  return account === undefined
    ? {
        code: "INVALID_CURRENCY",
        message: `The customer has no active account in ${code}.`,
        details: { field: "receivingCurrencyCode" },
      }
    : {
        destinationAccountId: account.id,
        amount,
        senderUmaAddress,
        receiverUmaAddress: customer.data.umaAddress,
        counterpartyInformation: { FULL_NAME: "Sandbox Sender" },
        requestedFields,
        isSimulated: true,
      }
}
