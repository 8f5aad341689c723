/**
 * Reads what a verification of a customer depends on beside the customer: the open verification, and the documents.
 * Source: wire contract 5.12; wire contract areas 1.2.6.
 */
import { Effect } from "effect"
import { VerificationMachine } from "../../model/customer/VerificationMachine.ts"
import { listAll, where } from "../../operation/Listing.ts"
import { Store } from "../../store/Store.ts"

const openStatuses = VerificationMachine.states.filter((state) => !VerificationMachine.isTerminal(state))

/** Loads the open verification of a customer, if it has one. */
export const loadOpenVerification = (store: Store["Service"], customerId: string) =>
  store
    .list(
      "Verification",
      { customerId: { eq: customerId }, verificationStatus: { in: openStatuses } },
      { limit: 1, order: "desc" },
    )
    .pipe(Effect.map(({ data }) => data[0]))

/** Loads the documents of a customer and of its owners, newest first. */
export const loadDocuments = (store: Store["Service"], customerId: string) =>
  listAll("Document", where({ customerId, isDeleted: false })).pipe(Effect.provideService(Store, store))
