/** Bodies for calls with ids of another tenant. */
import { newKey } from "../wallet/People.ts"

const clientPublicKey = (await newKey()).publicKey.uncompressed

/** A body that each operation can decode. Calls with a foreign id end before its content is used. */
export const bodyFor = (path: string): unknown => {
  if (path.startsWith("/auth/") && path.endsWith("/verify")) return { type: "EMAIL_OTP", encryptedOtpBundle: "x" }
  if (path.endsWith("/refresh") || path.endsWith("/export")) return { clientPublicKey }
  if (path === "/internal-accounts/{accountId}") return { privateEnabled: true }
  if (path.endsWith("/fund")) return { amount: 1 }
  if (path.endsWith("/challenge")) return { method: "WALLET_SIGNATURE" }
  if (path.endsWith("/verify")) return { signature: "0x00" }
  if (path.endsWith("/status")) return { status: "UNDER_REVIEW" }
  if (path.endsWith("/policy/evaluate")) {
    const accountId = (type: string) => `${type}:00000000-0000-4000-8000-000000000000`
    return {
      type: "TRANSFER_IN",
      source: { accountId: accountId("ExternalAccount") },
      destination: { accountId: accountId("InternalAccount") },
    }
  }
  if (path.endsWith("/policy")) return { permissions: [] }
  if (path.endsWith("/confirm") || path.endsWith("/authorize")) return { code: "123456" }
  if (path.endsWith("/{customerId}")) return { customerType: "INDIVIDUAL" }
  if (path.endsWith("/{cardId}")) return { maxSpendPerTransaction: 5 }
  if (path.includes("/simulate/")) return { amount: 1, currency: "USD", merchant: { descriptor: "Shop" } }
  return path.endsWith("{agentId}") ? { name: "Taken over" } : {}
}
