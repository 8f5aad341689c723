/**
 * The codes of returns and what they mean for the service: the refusal of an order that was not executed yet. One that was is `Returned`,
 * whatever its code. Codes from R61 on are between banks, and reach an originator only by mistake: they change nothing.
 * Source: Nacha Operating Rules, appendix "Return Entries"; D-530.
 */
import type { RailRefusal } from "@countersign/core/ports"

export interface ReturnRow {
  readonly meaning: string
  /** `undefined`: the code is not about an order of ours, and a person has to look at it. */
  readonly refusal: RailRefusal | undefined
}

const row = (meaning: string, refusal?: RailRefusal): ReturnRow => ({ meaning, refusal })

export const returnCodes: Readonly<Record<string, ReturnRow>> = {
  R01: row("Insufficient funds", "INSUFFICIENT_FUNDS"),
  R02: row("Account closed", "ACCOUNT_INVALID"),
  R03: row("No account, or unable to locate it", "ACCOUNT_INVALID"),
  R04: row("Invalid account number", "ACCOUNT_INVALID"),
  R05: row("Unauthorized debit to a consumer account by a corporate entry", "BANK_REJECTED"),
  R06: row("Returned at the request of the originating bank", "BANK_REJECTED"),
  R07: row("Authorization revoked by the customer", "BANK_REJECTED"),
  R08: row("Payment stopped", "BANK_REJECTED"),
  R09: row("Uncollected funds", "INSUFFICIENT_FUNDS"),
  R10: row("The customer does not know or did not authorize the originator", "BANK_REJECTED"),
  R11: row("The entry is not in accordance with its authorization", "BANK_REJECTED"),
  R12: row("Branch sold to another bank", "ACCOUNT_INVALID"),
  R13: row("Invalid routing number", "ACCOUNT_INVALID"),
  R14: row("Representative payee deceased or unable to continue", "ACCOUNT_INVALID"),
  R15: row("Beneficiary or account holder deceased", "ACCOUNT_INVALID"),
  R16: row("Account frozen, or returned by order of a sanctions office", "COMPLIANCE_REJECTED"),
  R17: row("Edit criteria of the file, or questionable circumstances", "BANK_REJECTED"),
  R18: row("Improper effective entry date", "EXECUTION_FAILED"),
  R19: row("Amount field error", "EXECUTION_FAILED"),
  R20: row("Not a transaction account", "ACCOUNT_INVALID"),
  R21: row("Invalid company identification", "EXECUTION_FAILED"),
  R22: row("Invalid individual id number", "EXECUTION_FAILED"),
  R23: row("Credit entry refused by the receiver", "BANK_REJECTED"),
  R24: row("Duplicate entry", "EXECUTION_FAILED"),
  R25: row("Addenda error", "EXECUTION_FAILED"),
  R26: row("Mandatory field error", "EXECUTION_FAILED"),
  R27: row("Trace number error", "EXECUTION_FAILED"),
  R28: row("Check digit of the routing number is wrong", "ACCOUNT_INVALID"),
  R29: row("The corporate customer did not authorize the entry", "BANK_REJECTED"),
  R30: row("The receiving bank does not take part in check truncation", "BANK_REJECTED"),
  R31: row("Permissible return of a corporate entry", "BANK_REJECTED"),
  R32: row("The receiving bank cannot settle", "BANK_REJECTED"),
  R33: row("Return of a destroyed check entry", "BANK_REJECTED"),
  R34: row("The receiving bank takes part only in a limited way", "BANK_REJECTED"),
  R35: row("Return of an improper debit entry", "BANK_REJECTED"),
  R36: row("Return of an improper credit entry", "BANK_REJECTED"),
  R37: row("Source document presented for payment", "BANK_REJECTED"),
  R38: row("Stop payment on the source document", "BANK_REJECTED"),
  R39: row("Improper source document", "BANK_REJECTED"),
  R40: row("Return of an enrolment entry by a federal agency", "BANK_REJECTED"),
  R41: row("Invalid transaction code", "EXECUTION_FAILED"),
  R42: row("Routing number or check digit error", "ACCOUNT_INVALID"),
  R43: row("Invalid account number at the receiving bank", "ACCOUNT_INVALID"),
  R44: row("Invalid individual id number", "EXECUTION_FAILED"),
  R45: row("Invalid name of the individual or company", "ACCOUNT_INVALID"),
  R46: row("Invalid representative payee indicator", "EXECUTION_FAILED"),
  R47: row("Duplicate enrolment", "EXECUTION_FAILED"),
  R50: row("State law affects the acceptance of re-presented checks", "BANK_REJECTED"),
  R51: row("The item of a re-presented check entry is ineligible", "BANK_REJECTED"),
  R52: row("Stop payment on the item of a re-presented check entry", "BANK_REJECTED"),
  R53: row("The item and its entry were presented for payment", "BANK_REJECTED"),
  R61: row("Misrouted return"),
  R62: row("Return of an erroneous or reversing debit"),
  R67: row("Duplicate return"),
  R68: row("Untimely return"),
  R69: row("Field error in a return"),
  R70: row("Permissible return not accepted"),
  R71: row("Misrouted dishonoured return"),
  R72: row("Untimely dishonoured return"),
  R73: row("The original return was timely"),
  R74: row("Corrected return"),
  R75: row("The return was not a duplicate"),
  R76: row("No errors found"),
  R77: row("A dishonoured return is not accepted"),
  R80: row("Coding error of an international entry", "EXECUTION_FAILED"),
  R81: row("The bank takes no part in international entries", "BANK_REJECTED"),
  R82: row("Invalid identification of the foreign receiving bank", "ACCOUNT_INVALID"),
  R83: row("The foreign receiving bank cannot settle", "BANK_REJECTED"),
  R84: row("The gateway did not process the entry", "EXECUTION_FAILED"),
  R85: row("Incorrectly coded outbound international payment", "EXECUTION_FAILED"),
}

/** The codes of notifications of change, and what the corrected data is. */
export const changeCodes: Readonly<Record<string, string>> = {
  C01: "account number",
  C02: "routing number",
  C03: "routing number and account number",
  C04: "name of the individual or company",
  C05: "transaction code",
  C06: "account number and transaction code",
  C07: "routing number, account number and transaction code",
  C08: "identification of the foreign receiving bank",
  C09: "individual id number",
  C13: "addenda format",
  C14: "entry class of outbound international payments",
}
