/**
 * The table of the rails: the message field for a payment's `remittanceInformation`, the usual settlement time, and whether a
 * payment can be cancelled.
 * Spec: Quote (remittanceInformation), Limits (at most 80 characters); wire contract 5.7 (cancel: ACH and wire;
 * expectedSettlementAt), A; D-090, D-112.
 */

import * as Table from "../../foundation/kit/Table.ts"
import type { PaymentRail } from "../account/AccountTypeRow.ts"

/** The field's names in the rails' own message formats. */
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
  /** The usual time from the start of a payment until it is delivered. */
  readonly settlementSeconds: number
  /** Whether a payment can be cancelled before it has settled. */
  readonly isCancellable: boolean
}

const instant = 60
const hours = (count: number): number => count * 3600
const days = (count: number): number => hours(24 * count)

const rail = (remittanceField: RemittanceField, settlementSeconds: number, isCancellable = false): RailRow => ({
  remittanceField,
  settlementSeconds,
  isCancellable,
})

export const PaymentRails = Table.make("PaymentRails", {
  ACH: rail("addenda", days(2), true),
  ACH_COLOMBIA: rail("addenda", days(1)),
  BANK_TRANSFER: rail("reference", days(1)),
  BRE_B: rail("description", instant),
  CIPS: rail("remittanceInformation", days(1)),
  FAST: rail("remittanceInformation", instant),
  FASTER_PAYMENTS: rail("reference", hours(2)),
  FEDNOW: rail("remittanceInformation", instant),
  INSTAPAY: rail("remittanceInformation", instant),
  MOBILE_MONEY: rail("message", instant),
  NEFT: rail("narration", hours(2)),
  PAYNOW: rail("remittanceInformation", instant),
  PESONET: rail("remittanceInformation", days(1)),
  PIX: rail("description", instant),
  RTGS: rail("narration", hours(2)),
  RTP: rail("remittanceInformation", instant),
  SEPA: rail("remittanceInformation", days(1)),
  SEPA_INSTANT: rail("remittanceInformation", instant),
  SPEI: rail("description", instant),
  SWIFT: rail("remittanceInformation", days(5)),
  UNIONPAY: rail("message", days(1)),
  UPI: rail("message", instant),
  WIRE: rail("originatorToBeneficiaryInformation", days(1), true),
} satisfies { readonly [Rail in PaymentRail]: RailRow })
