/**
 * Finds the OTP credentials that follow a contact of a customer. A change of the contact then needs the signature of a session of
 * one of the customer's wallets.
 * Spec: 4.5 (`PATCH /customers/{id}`); wire contract 4.7 and 5.11.
 */
import { Effect } from "effect"
import { type ContactChange, contactMemo } from "../../decision/wallet/ContactChanges.ts"
import { contactFields } from "../../model/wallet/Credential.ts"
import { anySessionOf, type WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import * as SigningPayload from "../../model/wallet/SigningPayload.ts"
import { listAll } from "../../operation/Listing.ts"
import type * as Operation from "../../operation/Operation.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { dependentCounter } from "../../store/Kinds.ts"
import { SignedRequests } from "./SignedRequests.ts"
import { accountIdsOf, credentialsOf } from "./WalletReads.ts"

interface Contacts {
  readonly email?: string
  readonly phoneNumber?: string
}

const fields = ["email", "phoneNumber"] as const

/** Returns the first contact that a request changes. */
const changedContact = ({ data }: Stored<"Customer">, request: Contacts) => {
  const field = fields.find((name) => request[name] !== undefined && request[name] !== data[name])
  const contact = field && request[field]
  return field === undefined || contact === undefined ? undefined : { type: contactFields[field], contact }
}

/**
 * Returns the change and the facts of its signature if credentials follow the contact. If none does, it returns the number of the
 * customer's dependent records, by which the commit asserts it.
 */
export const loadTied = Effect.fnUntraced(function* (
  read: Operation.Read,
  customer: Stored<"Customer">,
  request: Contacts,
  headers: WalletHeaders,
) {
  const changed = changedContact(customer, request)
  if (changed === undefined) return { tie: undefined, dependents: undefined }
  const { contact, type } = changed
  const counter = dependentCounter(customer.id)
  // The counter is read before the credentials, so that a credential added later makes an unsigned commit a conflict.
  const dependents = (yield* read({ counters: [counter] })).counter(counter)
  const all = yield* credentialsOf(customer.id)
  const credentials = all.filter(({ data }) => data.type === type)
  const [first] = credentials
  if (first === undefined) return { tie: undefined, dependents }
  const requests = yield* SignedRequests
  const holders = yield* listAll("Credential", {
    contact: { eq: contact },
    type: { eq: type },
    isRevoked: { eq: false },
  })
  const isTaken = holders.some(({ customerId }) => customerId !== customer.id)
  const change: ContactChange = { type, contact, credentials, isTaken }
  const owner = { platformId: customer.platformId, customerId: customer.id }
  const signing = yield* requests.verify(read, {
    operation: "PATCH /customers/{id}",
    target: { ...owner, id: customer.id },
    body: request,
    headers,
    allowedSigner: anySessionOf(...accountIdsOf(all)),
    payload: SigningPayload.updateContact(owner, first.data.accountId, type, contact),
    memo: contactMemo(change),
  })
  return { tie: { change, signing }, dependents: undefined }
})
