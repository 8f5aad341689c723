/** Our account at a bank that takes ISO 20022 files. Source: D-530. */
import type { RailAccount } from "@countersign/core/ports"
import type { Mandate } from "../orders/BankOrder.ts"

/** The account at the bank that every batch debits or credits. */
export interface IsoAccount {
  /** The holder, as the bank has it. */
  readonly name: string
  readonly iban: string
  readonly bic?: string
  /** Default: `EUR` alone. */
  readonly currencies?: ReadonlyArray<string>
  /** Whether the bank shall book the total of a file, and not each payment. Default: each payment. */
  readonly booksBatches?: boolean
  /** Our creditor identifier. Without it there are no direct debits. */
  readonly creditorId?: string
  /** The mandate of the debtor whose account this is; `undefined`: without one, the account cannot be pulled. */
  readonly mandateOf?: (account: RailAccount) => Mandate | undefined
}
