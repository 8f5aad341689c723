/**
 * Finds out whether a change of a customer's contact touches OTP credentials, and so has to be signed by a session of one of its wallets.
 * Spec: 4.5 (`PATCH /customers/{id}`); wire contract 4.7 and 5.11.
 */
import { Effect } from "effect"
import { type ContactChange, memoOf } from "../../decision/wallet/ContactChanges.ts"
import { contactFields } from "../../model/wallet/Credential.ts"
import { anySessionOf, type WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import * as SigningPayload from "../../model/wallet/SigningPayload.ts"
import { listAll } from "../../operation/Listing.ts"
import type * as Operation from "../../operation/Operation.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { SignedRequests } from "./SignedRequests.ts"
import { accountsOf, credentialsOf } from "./WalletReads.ts"

interface Contacts {
  readonly email?: string
  readonly phoneNumber?: string
}

const fields = ["email", "phoneNumber"] as const

/** The one contact that a request changes. */
const changedOf = ({ data }: Stored<"Customer">, request: Contacts) => {
  const field = fields.find((name) => request[name] !== undefined && request[name] !== data[name])
  const contact = field && request[field]
  return field === undefined || contact === undefined ? undefined : { type: contactFields[field], contact }
}

/** Undefined: nothing is tied to what changes, and nobody has to sign. */
export const loadTied = Effect.fnUntraced(function* (
  read: Operation.Read,
  customer: Stored<"Customer">,
  request: Contacts,
  headers: WalletHeaders,
) {
  const changed = changedOf(customer, request)
  if (changed === undefined) return undefined
  const { contact, type } = changed
  const credentials = yield* credentialsOf(customer.id)
  const tied = credentials.filter(({ data }) => data.type === type)
  const [first] = tied
  if (first === undefined) return undefined
  const requests = yield* SignedRequests
  const same = yield* listAll("Credential", { contact: { eq: contact }, type: { eq: type }, isRevoked: { eq: false } })
  const change: ContactChange = {
    type,
    contact,
    tied,
    isTaken: same.some(({ customerId }) => customerId !== customer.id),
  }
  const owner = { platformId: customer.platformId, customerId: customer.id }
  const signing = yield* requests.load(read, {
    operation: "PATCH /customers/{id}",
    target: { ...owner, id: customer.id },
    body: request,
    headers,
    admits: anySessionOf(...accountsOf(credentials)),
    payload: SigningPayload.updateContact(owner, first.data.accountId, type, contact),
    memo: memoOf(change),
  })
  return { change, signing }
})
