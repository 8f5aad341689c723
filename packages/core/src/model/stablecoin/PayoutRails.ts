/**
 * The table of rails by which a provider pays out the money of a burn.
 * Source: wire contract areas 1.6.4 and 1.6.5 (`estimatedDelivery`).
 */
import { Schema } from "effect"
import * as Table from "../../foundation/kit/Table.ts"
import type { PaymentRail } from "../account/AccountTypeRow.ts"

interface PayoutRailRow {
  /** The rail that the account must have. */
  readonly needs: PaymentRail
  readonly timing: string
}

const row = (needs: PaymentRail, timing: string): PayoutRailRow => ({ needs, timing })

export const PayoutRails = Table.make("PayoutRails", {
  WIRE: row("WIRE", "same business day"),
  ACH_CREDIT: row("ACH", "1-3 business days"),
  SAME_DAY_ACH_CREDIT: row("ACH", "same business day"),
  RTP_CREDIT: row("RTP", "within minutes"),
})

/** The rail by which a burn is paid out. Each needs a rail of the destination account. */
export const PayoutRail = Schema.Literals(PayoutRails.keys)
export type PayoutRail = typeof PayoutRail.Type
