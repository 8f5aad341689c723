/**
 * Actions on the embedded wallet itself: its privacy is changed, its words are exported, and quotes out of it are executed with a signature.
 * Source: wire contract 4.8 to 4.10, 5.5.
 */
import { exportedWords, stamp } from "../flows/NodeWallet.ts"
import type { Body } from "./Answers.ts"
import { anyOf, type ClientActions } from "./ClientRequests.ts"
import { remembered } from "./QuoteActions.ts"
import { drawKeys, expectRefusal, signatureHeader, signedCall } from "./SignedCalls.ts"
import { anySession } from "./SignIns.ts"
import { isOfWallet } from "./WalletQuotes.ts"

/** Ten cents in the smallest unit of the wallet. */
const tenCents = 100_000

/** What the wallet must sign to execute its quote. */
const payloadOf = (quote: Body): string => {
  const instructions = quote["paymentInstructions"] as ReadonlyArray<{ readonly accountOrWalletInfo?: Body }>
  const info = instructions.find(
    ({ accountOrWalletInfo }) => accountOrWalletInfo?.["accountType"] === "EMBEDDED_WALLET",
  )
  return String(info?.accountOrWalletInfo?.["payloadToSign"])
}

export const walletActions: ClientActions = {
  "wallet privacy": {
    weight: 3,
    run: async (client) => {
      const { answers, pay, random } = client
      const session = await anySession(client)
      if (session === undefined) return false
      const isPrivate = random.once(2)
      const path = `/internal-accounts/${pay.wallet.accountId}`
      return signedCall(
        client,
        { method: "PATCH", path, body: { privateEnabled: isPrivate } },
        () => session[1].keys,
        (_, change) => void answers.wallet.privacy.push({ isPrivate, ...change }),
      )
    },
  },
  "wallet export": {
    weight: 2,
    run: async (client) => {
      const { answers, pay } = client
      const session = await anySession(client)
      if (session === undefined) return false
      const keys = drawKeys(client)
      const path = `/internal-accounts/${pay.wallet.accountId}/export`
      return signedCall(
        client,
        { method: "POST", path, body: { clientPublicKey: keys.uncompressed } },
        () => session[1].keys,
        (answer) => {
          if (answer !== undefined)
            answers.wallet.words.add(exportedWords(keys, String(answer["encryptedWalletCredentials"])))
        },
      )
    },
  },
  "wallet quote": {
    weight: 4,
    run: async (client) => {
      const { keyed, pay, random } = client
      const { accountId, banks, customerId } = pay.wallet
      const body = {
        source: { sourceType: "ACCOUNT", accountId, customerId },
        destination: {
          destinationType: "ACCOUNT",
          accountId: banks[random.pick(["000", "000", "002", "005"])] ?? "",
        },
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: tenCents * (1 + random.below(300)),
      }
      return remembered(client, await keyed("/quotes", { body }))
    },
  },
  "wallet quote executed": {
    weight: 5,
    run: async (client) => {
      const { answers, keyed, pay, random } = client
      const quote = anyOf(
        random,
        [...answers.quotes.values()].filter((each) => isOfWallet(pay, each)),
      )
      if (quote === undefined) return undefined
      const session = await anySession(client)
      const keys = session?.[1].keys
      if (keys === undefined) return false
      const id = String(quote["id"])
      const path = `/quotes/${id}/execute`
      if (random.once(5)) {
        const wrong = { [signatureHeader]: stamp(drawKeys(client), payloadOf(quote)) }
        await expectRefusal(client, { method: "POST", path }, wrong, "by an unknown key")
      }
      const headers = { [signatureHeader]: stamp(keys, payloadOf(quote)) }
      const executed = await keyed(path, { headers })
      if (executed !== undefined) answers.executedQuotes.add(id)
      return executed !== undefined
    },
  },
}
