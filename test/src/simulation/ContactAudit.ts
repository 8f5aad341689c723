/**
 * The part of the auditor for the contacts of the wallet's customer: each is that of the last change, and the credentials follow it.
 * Source: wire contract 5.11 and 8.2.
 */
import { isReplaced } from "./AcceptedChange.ts"
import type { Answers, Body } from "./Answers.ts"
import { bodyOf } from "./ClientRequests.ts"
import { contactFields } from "./WalletAnswers.ts"
import { firstContacts } from "./WalletWorld.ts"
import type { Pay } from "./World.ts"

const tied = { EMAIL_OTP: "email", SMS_OTP: "phoneNumber" } as const

export const contactProblems = async (pay: Pay, answers: Answers): Promise<ReadonlyArray<string>> => {
  const customer = bodyOf(await pay.send("GET", `/customers/${pay.wallet.customerId}`))
  const listed = bodyOf(await pay.send("GET", `/auth/credentials?accountId=${pay.wallet.accountId}`))
  return [
    ...contactFields.flatMap((field) => {
      const changes = answers.wallet.contacts.filter((each) => each.field === field)
      const certain = changes.filter(({ isPossible }) => !isPossible)
      const last = changes.filter(
        (each) =>
          !isReplaced(
            each,
            certain.filter((other) => other !== each),
          ),
      )
      const due = [...last.map(({ value }) => value), ...(certain.length === 0 ? [firstContacts[field]] : [])]
      return due.includes(String(customer[field]))
        ? []
        : [`${field} is ${String(customer[field])}, and should be ${due.join(" or ")}`]
    }),
    ...(listed["data"] as ReadonlyArray<Body>).flatMap(({ id, nickname, type }) => {
      const field = type === "EMAIL_OTP" || type === "SMS_OTP" ? tied[type] : undefined
      return field === undefined || nickname === customer[field]
        ? []
        : [`${String(id)} has ${String(nickname)}, and the customer ${String(customer[field])}`]
    }),
  ]
}
