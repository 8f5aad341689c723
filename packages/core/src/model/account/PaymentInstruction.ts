/**
 * Payment instructions: the account details to which a payer sends money.
 * Spec: PaymentInstructions; wire contract 2.5.
 */
import { Schema } from "effect"
import { AccountInfo } from "./ExternalAccount.ts"

export const PaymentInstructions = Schema.Struct({
  instructionsNotes: Schema.optionalKey(Schema.String),
  isPlatformAccount: Schema.optionalKey(Schema.Boolean),
  accountOrWalletInfo: AccountInfo,
}).annotate({ identifier: "PaymentInstructions" })
export type PaymentInstructions = typeof PaymentInstructions.Type
