/**
 * Actions on the contacts of the wallet's customer: a change needs a signature while a credential is tied to the contact.
 * Source: wire contract 4.7, 5.11 and 8.2.
 */
import type { Body } from "./Answers.ts"
import { bodyOf, type Client, type ClientActions, isDone } from "./ClientRequests.ts"
import { drawKeys, headersOf, isSpent, pendingOf, sendOf } from "./SignedCalls.ts"
import { anySession } from "./SignIns.ts"
import { type ContactChange, contactFields, type PendingCall } from "./WalletAnswers.ts"

const typeOf = { email: "EMAIL_OTP", phoneNumber: "SMS_OTP" } as const

/** New for each change, so that the last one is known by it. */
const contactOf = ({ answers, name }: Client, field: ContactChange["field"]): string =>
  field === "email"
    ? `katherine-${name()}@example.com`
    : `+1415555${String(1000 + (answers.requests % 9000)).padStart(4, "0")}`

/** The credentials that are tied to a contact. */
const tiedTo = async ({ insist, pay }: Client, field: ContactChange["field"]): Promise<ReadonlyArray<string>> => {
  const listed = bodyOf(await insist("GET", `/auth/credentials?accountId=${pay.wallet.accountId}`))
  return (listed["data"] as ReadonlyArray<Body>).flatMap(({ id, type }) => (type === typeOf[field] ? [String(id)] : []))
}

/** Signs by an unknown key: it must be refused, unless the tied credentials end meanwhile. */
const sendForged = async (client: Client, pending: PendingCall, field: ContactChange["field"]): Promise<void> => {
  const { answers, insist } = client
  const before = await tiedTo(client, field)
  const reply = await insist("PATCH", pending.path, sendOf(pending, headersOf(pending, drawKeys(client))))
  const after = await tiedTo(client, field)
  if (isDone(reply) && before.some((id) => after.includes(id)))
    answers.problems.push(`${field} was changed with the signature of an unknown key`)
}

const change = async (client: Client): Promise<boolean> => {
  const { answers, pay, random, repeat } = client
  const session = await anySession(client)
  const field = random.pick(contactFields)
  const value = contactOf(client, field)
  const body = { customerType: "INDIVIDUAL", [field]: value }
  const call = { method: "PATCH", path: `/customers/${pay.wallet.customerId}`, body }
  const begunAt = answers.requests
  const note = (isPossible: boolean) =>
    void answers.wallet.contacts.push({ field, value, isPossible, begunAt, endedAt: answers.requests })
  const first = await repeat("PATCH", call.path, sendOf(call))
  const pending = pendingOf(call, first.reply)
  if (pending === undefined) {
    if (isDone(first.reply)) note(false)
    return isDone(first.reply)
  }
  // An answer that was lost may have been that of a change which needed no signature then.
  if (first.lost > 0) note(true)
  const keys = session?.[1].keys
  if (keys === undefined || random.once(6)) return false
  if (random.once(3)) await sendForged(client, pending, field)
  const { lost, reply } = await repeat("PATCH", call.path, sendOf(call, headersOf(pending, keys)))
  if (isDone(reply)) note(false)
  else if (lost > 0) note(!isSpent(reply))
  return isDone(reply)
}

export const contactActions: ClientActions = { "contact changed": { weight: 4, run: change } }
