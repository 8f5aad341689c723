/** Sets up a customer's embedded wallet at a running server. */
import { newKey, sealedCode, signing } from "../wallet/People.ts"
import { type Send, textAt } from "./Client.ts"

/** A wallet with two credentials and a session. */
export const newWallet = async (platform: Send) => {
  const contacts = { email: "wallet@example.com", phoneNumber: "+14155550123" }
  const body = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace", ...contacts }
  const customerId = textAt(await platform("POST", "/customers", { body }), "id")
  const accounts = await platform("GET", `/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`)
  const walletId = textAt(accounts, "data", 0, "id")
  const credentialId = textAt(await platform("GET", `/auth/credentials?accountId=${walletId}`), "data", 0, "id")
  const key = await newKey()
  const challenge = await platform("POST", `/auth/credentials/${credentialId}/challenge`)
  const encryptedOtpBundle = await sealedCode(textAt(challenge, "otpEncryptionTargetBundle"), key)
  const signed = async (path: string, sent: object) => {
    const first = await platform("POST", path, { body: sent })
    return platform("POST", path, { body: sent, headers: await signing(first, key) })
  }
  const session = await signed(`/auth/credentials/${credentialId}/verify`, { type: "EMAIL_OTP", encryptedOtpBundle })
  await signed("/auth/credentials", { type: "SMS_OTP", accountId: walletId })
  return { walletId, credentialId, sessionId: textAt(session, "id") }
}
