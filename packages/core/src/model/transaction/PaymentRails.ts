/**
 * The table of the rails: the field in which each carries a payment's `remittanceInformation`, how long it takes as a rule, and
 * whether it can still be told to stop.
 * Spec: Quote (remittanceInformation), Limits (at most 80 characters); wire contract 5.7 (cancel: ACH and wire;
 * expectedSettlementAt), A; D-090, D-112.
 */

import * as Table from "../../foundation/kit/Table.ts"
import type { PaymentRail } from "../account/AccountTypeRow.ts"

/** The names that the rails' own message formats give to the field. */
export type RemittanceField =
  | "addenda"
  | "remittanceInformation"
  | "originatorToBeneficiaryInformation"
  | "reference"
  | "description"
  | "narration"
  | "message"

interface RailRow {
  readonly remittanceField: RemittanceField
  /** From the start of a payment until it has arrived, as a rule. */
  readonly settlementSeconds: number
  /** Whether a payment can be called back until it has settled. */
  readonly isCancellable: boolean
}

const instant = 60
const hours = (count: number): number => count * 3600
const days = (count: number): number => hours(24 * count)

const carries = (remittanceField: RemittanceField, settlementSeconds: number, isCancellable = false): RailRow => ({
  remittanceField,
  settlementSeconds,
  isCancellable,
})

export const PaymentRails = Table.make("PaymentRails", {
  ACH: carries("addenda", days(2), true),
  ACH_COLOMBIA: carries("addenda", days(1)),
  BANK_TRANSFER: carries("reference", days(1)),
  BRE_B: carries("description", instant),
  CIPS: carries("remittanceInformation", days(1)),
  FAST: carries("remittanceInformation", instant),
  FASTER_PAYMENTS: carries("reference", hours(2)),
  FEDNOW: carries("remittanceInformation", instant),
  INSTAPAY: carries("remittanceInformation", instant),
  MOBILE_MONEY: carries("message", instant),
  NEFT: carries("narration", hours(2)),
  PAYNOW: carries("remittanceInformation", instant),
  PESONET: carries("remittanceInformation", days(1)),
  PIX: carries("description", instant),
  RTGS: carries("narration", hours(2)),
  RTP: carries("remittanceInformation", instant),
  SEPA: carries("remittanceInformation", days(1)),
  SEPA_INSTANT: carries("remittanceInformation", instant),
  SPEI: carries("description", instant),
  SWIFT: carries("remittanceInformation", days(5)),
  UNIONPAY: carries("message", days(1)),
  UPI: carries("message", instant),
  WIRE: carries("originatorToBeneficiaryInformation", days(1), true),
} satisfies { readonly [Rail in PaymentRail]: RailRow })
