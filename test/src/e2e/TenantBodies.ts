/** Bodies for calls with ids of another tenant. */
import { newKey } from "../wallet/People.ts"

const clientPublicKey = (await newKey()).publicKey.uncompressed

const unknownId = (type: string) => `${type}:00000000-0000-4000-8000-000000000000`

/** A form that has only a file. */
export const fileForm = (content: string): FormData => {
  const form = new FormData()
  form.append("file", new File([content], "customers.csv"))
  return form
}

/** The parts of a document, for a holder or for a document that has one. */
export const documentForm = (documentHolder?: string): FormData => {
  const form = new FormData()
  form.append("file", new File(["%PDF-1.7"], "scan.pdf"))
  form.append("documentType", "OTHER")
  form.append("country", "US")
  if (documentHolder !== undefined) form.append("documentHolder", documentHolder)
  return form
}

/** A body that each operation can decode. Calls with a foreign id end before its content is used; `ids` are the caller's own. */
export const bodyFor = (path: string, ids: Readonly<Record<string, string>>): unknown => {
  if (path.startsWith("/documents/")) return documentForm()
  if (path.startsWith("/auth/") && path.endsWith("/verify")) return { type: "EMAIL_OTP", encryptedOtpBundle: "x" }
  if (path.endsWith("/refresh") || path.endsWith("/export")) return { clientPublicKey }
  if (path === "/internal-accounts/{id}") return { privateEnabled: true }
  if (path.endsWith("/fund")) return { amount: 1 }
  if (path === "/sandbox/events/{eventId}/send") return { url: "http://127.0.0.1:9/webhooks" }
  if (path.endsWith("/challenge")) return { method: "WALLET_SIGNATURE" }
  if (path.endsWith("/verify")) return { signature: "0x00" }
  if (path.endsWith("/status")) return { status: "UNDER_REVIEW" }
  if (path.endsWith("/policy/evaluate")) {
    return {
      type: "TRANSFER_IN",
      source: { accountId: unknownId("ExternalAccount") },
      destination: { accountId: unknownId("InternalAccount") },
    }
  }
  if (path.endsWith("/mints")) {
    const destination = { accountId: ids["walletOutside"] ?? unknownId("ExternalAccount") }
    return { amount: "10000", fundingSource: { type: "WIRE" }, destination }
  }
  if (path.endsWith("/burns")) {
    const externalAccountId = ids["externalAccountId"] ?? unknownId("ExternalAccount")
    const destination = { type: "EXTERNAL_ACCOUNT", externalAccountId, rail: "WIRE" }
    return { amount: "10000", source: { type: "EXTERNAL_ACCOUNT" }, destination }
  }
  if (path.endsWith("/policy-evaluations")) return { recent: 1 }
  if (path.endsWith("/policy")) return { permissions: [] }
  if (path.endsWith("/confirm") || path.endsWith("/authorize")) return { code: "123456" }
  if (path.endsWith("/{customerId}")) return { customerType: "INDIVIDUAL" }
  if (path === "/cards/{id}") return { maxSpendPerTransaction: 5 }
  if (path.includes("/simulate/")) return { amount: 1, currency: "USD", merchant: { descriptor: "Shop" } }
  return path.endsWith("{agentId}") ? { name: "Taken over" } : {}
}
