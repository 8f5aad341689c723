/**
 * The table of the fields in which each rail carries a payment's `remittanceInformation`, and of the rails that can still be
 * told to stop.
 * Spec: Quote (remittanceInformation), Limits (at most 80 characters); wire contract 5.7 (cancel: ACH and wire), A; D-090.
 */
import type { PaymentRail } from "../account/AccountTypeRow.ts"
import * as Table from "../kit/Table.ts"

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
  /** Whether a payment can be called back until it has settled. */
  readonly isCancellable: boolean
}

const carries = (remittanceField: RemittanceField, isCancellable = false): RailRow => ({
  remittanceField,
  isCancellable,
})

export const PaymentRails = Table.make("PaymentRails", {
  ACH: carries("addenda", true),
  ACH_COLOMBIA: carries("addenda"),
  BANK_TRANSFER: carries("reference"),
  BRE_B: carries("description"),
  CIPS: carries("remittanceInformation"),
  FAST: carries("remittanceInformation"),
  FASTER_PAYMENTS: carries("reference"),
  FEDNOW: carries("remittanceInformation"),
  INSTAPAY: carries("remittanceInformation"),
  MOBILE_MONEY: carries("message"),
  NEFT: carries("narration"),
  PAYNOW: carries("remittanceInformation"),
  PESONET: carries("remittanceInformation"),
  PIX: carries("description"),
  RTGS: carries("narration"),
  RTP: carries("remittanceInformation"),
  SEPA: carries("remittanceInformation"),
  SEPA_INSTANT: carries("remittanceInformation"),
  SPEI: carries("description"),
  SWIFT: carries("remittanceInformation"),
  UNIONPAY: carries("message"),
  UPI: carries("message"),
  WIRE: carries("originatorToBeneficiaryInformation", true),
} satisfies { readonly [Rail in PaymentRail]: RailRow })
