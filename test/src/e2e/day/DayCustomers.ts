/** The customers of the day with their accounts, and one who signs in to a wallet with a code from the mail. */

import type { ReceivedMail } from "../../adapter-messages/MailReceiver.ts"
import { partOf } from "../../adapter-messages/MailText.ts"
import { newKey, sealedCode, signing } from "../../wallet/People.ts"
import { type Send, textAt } from "../Client.ts"
import { usdAccount } from "../Flow.ts"
import { documentForm } from "../TenantBodies.ts"
import { patiently } from "./Patience.ts"

export interface DayCustomer {
  readonly customerId: string
  /** Internal accounts. */
  readonly euros: string
  readonly dollars: string
  /** Accounts at other banks. */
  readonly outside: { readonly euros: string; readonly dollars: string }
}

const address = { line1: "1 Rue du Pont", city: "Lyon", postalCode: "69001", country: "FR" }
const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace", address }

export const newDayCustomer = async (send: Send, n: number): Promise<DayCustomer> => {
  const contacts = { email: `person-${n}@example.com`, phoneNumber: `+1415555012${n}` }
  const body = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace", ...contacts }
  const customerId = textAt(await send("POST", "/customers", { body }), "id")
  const internal = async (currency: string) =>
    textAt(
      await send("GET", `/customers/internal-accounts?customerId=${customerId}&currency=${currency}`),
      "data",
      0,
      "id",
    )
  const external = async (account: object) =>
    textAt(await send("POST", "/customers/external-accounts", { body: account }), "id")
  const iban = "FR1420041010050500013M02606"
  const euroAccount = { customerId, currency: "EUR", accountInfo: { accountType: "EUR_ACCOUNT", iban, beneficiary } }
  return {
    customerId,
    euros: await internal("EUR"),
    dollars: await internal("USD"),
    outside: {
      euros: await external(euroAccount),
      dollars: await external(usdAccount("12345678", customerId)),
    },
  }
}

/** The text by which the stored bytes of the document would be known. */
export const documentMark = "%PDF-1.7"

export const uploadDocument = async (send: Send, { customerId }: DayCustomer): Promise<string> =>
  textAt(await send("POST", "/documents", { body: documentForm(customerId) }), "id")

/** Signs in to the wallet of a customer by a code from the mail, and returns the code. */
export const signInByMail = async (
  send: Send,
  { customerId }: DayCustomer,
  mails: ReadonlyArray<ReceivedMail>,
): Promise<string> => {
  const query = `customerId=${customerId}&type=EMBEDDED_WALLET`
  const walletId = textAt(await send("GET", `/customers/internal-accounts?${query}`), "data", 0, "id")
  const listed = await send("GET", `/auth/credentials?accountId=${walletId}`)
  const path = `/auth/credentials/${textAt(listed, "data", 0, "id")}`
  const before = mails.length
  const challenge = await send("POST", `${path}/challenge`)
  const mail = await patiently(
    "the code",
    () => mails[before]?.raw ?? "",
    (raw) => raw !== "",
  )
  const [code = ""] = /\b\d{6}\b/u.exec(partOf(mail, "text/plain")) ?? []
  const key = await newKey()
  const encryptedOtpBundle = await sealedCode(textAt(challenge, "otpEncryptionTargetBundle"), key, code)
  const body = { type: "EMAIL_OTP", encryptedOtpBundle }
  const first = await send("POST", `${path}/verify`, { body })
  const session = await send("POST", `${path}/verify`, { body, headers: await signing(first, key) })
  textAt(session, "id")
  return code
}
