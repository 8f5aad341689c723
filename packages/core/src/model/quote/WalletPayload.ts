/**
 * The payload that the owner of an embedded wallet signs to pay a quote out of it. It is computed once and stored with the quote.
 * Spec: PaymentInstructions, 4.5 (quote execution); wire contract 2.5, 4.8 and 5.5; D-240.
 */

import * as CanonicalJson from "../../foundation/kit/CanonicalJson.ts"
import type { PaymentInstructions } from "../account/PaymentInstruction.ts"
import { sha256Hex } from "../wallet/Credential.ts"
import { signTransaction } from "../wallet/SigningPayload.ts"
import type { Quote } from "./Quote.ts"

type Terms = Pick<
  Quote,
  | "expiresAt"
  | "destination"
  | "sendingCurrency"
  | "receivingCurrency"
  | "totalSendingAmount"
  | "totalReceivingAmount"
  | "feesIncluded"
>

/** Returns a hash of all terms of the quote, so that a signature covers exactly these terms. */
const unsignedTransaction = (quoteId: string, accountId: string, terms: Terms): string => {
  const { destination, expiresAt, feesIncluded } = terms
  const { receivingCurrency, sendingCurrency, totalReceivingAmount, totalSendingAmount } = terms
  const signedTerms = {
    quoteId,
    accountId,
    destination: { ...destination },
    sendingCurrency,
    totalSendingAmount,
    receivingCurrency,
    totalReceivingAmount,
    feesIncluded,
    expiresAt,
  }
  return sha256Hex(CanonicalJson.stringify(signedTerms))
}

/** Returns the payment instruction of a quote that is paid out of a wallet. */
export const walletInstruction = (
  quoteId: string,
  accountId: string,
  terms: Terms,
  now: number,
): PaymentInstructions => ({
  accountOrWalletInfo: {
    accountType: "EMBEDDED_WALLET",
    payloadToSign: signTransaction(accountId, unsignedTransaction(quoteId, accountId, terms), now),
  },
})

/** Returns the payload to sign before the quote is executed, or `undefined` if it is not paid out of a wallet. */
export const payloadToSign = ({ paymentInstructions = [] }: Quote): string | undefined => {
  for (const { accountOrWalletInfo: info } of paymentInstructions) {
    if (info.accountType === "EMBEDDED_WALLET") return info.payloadToSign
  }
  return undefined
}
