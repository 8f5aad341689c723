/** Converts transfer requests into the orders that the core takes. Spec: 4.1; wire contract 5.6. */
import type { TransferInOrder, TransferOutOrder } from "@countersign/core"
import type { TransferInRequest, TransferOutRequest } from "@countersign/core/models"

export const transferIn = ({ amount, destination, source }: TransferInRequest): TransferInOrder => ({
  sourceAccountId: source.accountId,
  destinationAccountId: destination.accountId,
  amount,
})

export const transferOut = ({
  destination: { accountId, ...rail },
  source,
  ...terms
}: TransferOutRequest): TransferOutOrder => ({
  sourceAccountId: source.accountId,
  destinationAccountId: accountId,
  ...rail,
  ...terms,
})
