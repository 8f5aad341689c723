/** Quotes that are paid out of an embedded wallet: a funded wallet, its owner signed in, and the signatures of its owner. */
import type { KeyPair } from "@countersign/core/crypto"
import { at, between, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"
import { contacts, type SignedIn, signIn, stamp, textAt } from "../wallet/People.ts"

export interface WalletParts {
  readonly walletId: string
  readonly emailId: string
  readonly session: SignedIn
  /** A request for a quote from the wallet to an external account in pesos. */
  readonly quoteRequest: (amount?: number, more?: object) => Promise<object>
}

/** A customer's funded wallet, and a session of it. */
const withWallet = async <Q extends QuoteHarness>(pay: Q, amount = 50_000_000): Promise<Q & WalletParts> => {
  const walletId = await pay.accountId("USDB", "EMBEDDED_WALLET")
  const emailId = textAt(await pay.send("GET", `/auth/credentials?accountId=${walletId}`), "data", 0, "id")
  if (amount > 0) await pay.send("POST", `/sandbox/internal-accounts/${walletId}/fund`, { body: { amount } })
  const session = await signIn(pay, emailId)
  await pay.settle()
  pay.inbox.clear()
  const quoteRequest: WalletParts["quoteRequest"] = async (sent = 10_000_000, more = {}) =>
    between(walletId, await pay.external("MXN"), sent, more)
  return { ...pay, walletId, emailId, session, quoteRequest }
}

export const walletHarness = async (options: WorldOptions = {}, customer: object = {}) =>
  withWallet(await quoteHarness(options, { ...contacts, ...customer }))

export const payloadOf = (quote: { readonly body: unknown }): string =>
  textAt(quote, "paymentInstructions", 0, "accountOrWalletInfo", "payloadToSign")

/** The header by which a key signs a quote. */
export const signs = async (quote: { readonly body: unknown }, key: KeyPair) => ({
  "service-wallet-signature": await stamp(key, payloadOf(quote)),
})

export const idOf = (reply: { readonly body: unknown }) => String(at(reply, "id"))
