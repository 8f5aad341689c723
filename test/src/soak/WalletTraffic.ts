/**
 * The wallets of a soak run: a quote that the payer funds brings money in, and a quote that the wallet's session signs takes money out. The
 * owner signs in again now and then.
 * Source: wire contract areas 3.8.
 */
import { at, type Body, type Reply, textAt } from "../e2e/Client.ts"
import { newSource, platformAt } from "../e2e/Flow.ts"
import { type NodeKeys, newKeys } from "../flows/NodeHpke.ts"
import { sealedCode, stamp } from "../flows/NodeWallet.ts"
import type { SoakRequests } from "./SoakRequests.ts"

/** No transfer of an agent has these amounts in its account, so that the audit tells them apart. */
const amountIn = 2500
const amountOut = 5_000_000
/** A session ends after 15 minutes, and a day has 100 codes for a customer. */
const sessionMillis = 600_000

const payloadOf = ({ body }: Reply): string => {
  const instructions = body["paymentInstructions"] as ReadonlyArray<Body>
  const own = instructions.find((one) => at(one, "accountOrWalletInfo", "accountType") === "EMBEDDED_WALLET")
  return String(at(own, "accountOrWalletInfo", "payloadToSign"))
}

export interface WalletTraffic {
  /** Money that comes in. */
  readonly quote: () => Promise<void>
  /** Money that goes out, signed by the owner. */
  readonly wallet: () => Promise<void>
}

/** Opens the wallet of a new customer. */
export const walletTraffic = async (base: string, { send }: SoakRequests, name: string): Promise<WalletTraffic> => {
  const platform = platformAt(base)
  const person = { customerType: "INDIVIDUAL", fullName: "Jane Doe", email: `${name}@example.com`, region: "US" }
  const customerId = textAt(await platform("POST", "/customers", { body: person }), "id")
  const accounts = await platform("GET", `/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`)
  const walletId = textAt(accounts, "data", 0, "id")
  const credentialId = textAt(await platform("GET", `/auth/credentials?accountId=${walletId}`), "data", 0, "id")
  const bank = await newSource(platform, { customerId, platformCustomerId: "", accountId: "" })
  const post = (operation: string, path: string, status: number, body: object, headers = {}) =>
    send("POST", path, { operation, expected: [status], body, headers })

  let session: { readonly keys: NodeKeys; readonly since: number } | undefined
  const signIn = async (): Promise<NodeKeys> => {
    const now = performance.now()
    if (session !== undefined && now - session.since < sessionMillis) return session.keys
    const challenge = await post("challenge", `/auth/credentials/${credentialId}/challenge`, 200, {})
    const keys = newKeys()
    const encryptedOtpBundle = sealedCode(textAt(challenge, "otpEncryptionTargetBundle"), keys)
    const path = `/auth/credentials/${credentialId}/verify`
    const body = { type: "EMAIL_OTP", encryptedOtpBundle }
    const first = await post("sign in", path, 202, body)
    const signature = stamp(keys, textAt(first, "payloadToSign"))
    const headers = { "Service-Wallet-Signature": signature, "Request-Id": textAt(first, "requestId") }
    await post("sign in, signed", path, 200, body, headers)
    session = { keys, since: now }
    return keys
  }
  const wallet = { sourceType: "ACCOUNT", accountId: walletId, customerId }
  await post("deposit", `/sandbox/internal-accounts/${walletId}/fund`, 200, { amount: 100_000_000_000 })
  await signIn()

  return {
    quote: async () => {
      const quote = await post("quote in", "/quotes", 201, {
        source: { sourceType: "REALTIME_FUNDING", customerId, currency: "USD" },
        destination: { destinationType: "ACCOUNT", accountId: walletId, currency: "USDB" },
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: amountIn,
      })
      const quoteId = textAt(quote, "id")
      await post("funding of a quote", "/sandbox/send", 200, { quoteId, currencyCode: "USD" })
      await send("GET", `/quotes/${quoteId}`, { operation: "read a quote", expected: [200] })
    },
    wallet: async () => {
      const keys = await signIn()
      const quote = await post("quote out", "/quotes", 201, {
        source: wallet,
        destination: { destinationType: "ACCOUNT", accountId: bank },
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: amountOut,
      })
      const headers = { "Service-Wallet-Signature": stamp(keys, payloadOf(quote)) }
      await post("execution of a quote", `/quotes/${textAt(quote, "id")}/execute`, 200, {}, headers)
      await send("GET", `/internal-accounts/${walletId}`, { operation: "read an account", expected: [200] })
    },
  }
}
