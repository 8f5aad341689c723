/**
 * The reason codes of ISO 20022 messages that a bank uses for payments, and the refusal of the service that each one is.
 * Source: the external code sets of ISO 20022 (status and return reasons); D-530. A code that is not listed is `BANK_REJECTED`.
 */
import type { RailRefusal } from "@countersign/core/ports"

interface Reason {
  readonly meaning: string
  readonly refusal: RailRefusal
}

const reason = (meaning: string, refusal: RailRefusal): Reason => ({ meaning, refusal })

/** The listed codes, each with its meaning and its refusal. */
export const isoReasons: Readonly<Record<string, Reason>> = {
  AC01: reason("The account number is incorrect.", "ACCOUNT_INVALID"),
  AC02: reason("The debtor's account number is invalid.", "ACCOUNT_INVALID"),
  AC03: reason("The creditor's account number is invalid.", "ACCOUNT_INVALID"),
  AC04: reason("The account is closed.", "ACCOUNT_INVALID"),
  AC06: reason("The account is blocked.", "BANK_REJECTED"),
  AC13: reason("The type of the debtor's account is wrong.", "ACCOUNT_INVALID"),
  AG01: reason("The account does not allow this kind of transaction.", "BANK_REJECTED"),
  AG02: reason("The operation code of the bank is invalid.", "EXECUTION_FAILED"),
  AM01: reason("The amount is zero.", "EXECUTION_FAILED"),
  AM02: reason("The amount is larger than allowed.", "BANK_REJECTED"),
  AM03: reason("The currency is not allowed.", "BANK_REJECTED"),
  AM04: reason("The funds are insufficient.", "INSUFFICIENT_FUNDS"),
  AM05: reason("The order exists already.", "EXECUTION_FAILED"),
  AM09: reason("The amount differs from the agreed one.", "BANK_REJECTED"),
  AM10: reason("The sum of the orders differs from the control sum.", "EXECUTION_FAILED"),
  BE01: reason("The holder of the account is another party.", "ACCOUNT_INVALID"),
  BE04: reason("The creditor's address is missing or incorrect.", "ACCOUNT_INVALID"),
  BE05: reason("The initiating party is not known.", "BANK_REJECTED"),
  BE06: reason("The customer is not known at this bank.", "ACCOUNT_INVALID"),
  BE07: reason("The debtor's address is missing or incorrect.", "ACCOUNT_INVALID"),
  CNOR: reason("The creditor's bank does not take part in the scheme.", "ACCOUNT_INVALID"),
  CUST: reason("The customer asked for the cancellation.", "BANK_REJECTED"),
  DNOR: reason("The debtor's bank does not take part in the scheme.", "ACCOUNT_INVALID"),
  DT01: reason("The date is invalid.", "EXECUTION_FAILED"),
  DUPL: reason("The payment is a duplicate.", "EXECUTION_FAILED"),
  ED05: reason("The settlement failed.", "EXECUTION_FAILED"),
  FF01: reason("The file is not of the expected format.", "EXECUTION_FAILED"),
  FOCR: reason("The payment came back after a request to cancel it.", "BANK_REJECTED"),
  FRAD: reason("The payment may be fraudulent.", "COMPLIANCE_REJECTED"),
  MD01: reason("There is no mandate.", "BANK_REJECTED"),
  MD02: reason("The mandate lacks information.", "BANK_REJECTED"),
  MD06: reason("The debtor asked for a refund.", "BANK_REJECTED"),
  MD07: reason("The customer is deceased.", "ACCOUNT_INVALID"),
  MS02: reason("The customer refuses without a reason.", "BANK_REJECTED"),
  MS03: reason("The bank gives no reason.", "BANK_REJECTED"),
  NARR: reason("The reason is a text.", "BANK_REJECTED"),
  RC01: reason("The identifier of the bank is incorrect.", "ACCOUNT_INVALID"),
  RC07: reason("The identifier of the creditor's bank is incorrect.", "ACCOUNT_INVALID"),
  RF01: reason("The reference of the order is not unique.", "EXECUTION_FAILED"),
  RR01: reason("The debtor's account or identification is missing.", "COMPLIANCE_REJECTED"),
  RR02: reason("The debtor's name or address is missing.", "COMPLIANCE_REJECTED"),
  RR03: reason("The creditor's name or address is missing.", "COMPLIANCE_REJECTED"),
  RR04: reason("A regulation forbids the payment.", "COMPLIANCE_REJECTED"),
  SL01: reason("A service that the customer ordered refuses the payment.", "BANK_REJECTED"),
  SL11: reason("The creditor is not on the debtor's list of allowed ones.", "BANK_REJECTED"),
  SL12: reason("The creditor is on the debtor's list of refused ones.", "BANK_REJECTED"),
  TM01: reason("The order arrived after the cut-off.", "TIMED_OUT"),
}

export const refusalOf = (code: string): RailRefusal =>
  Object.hasOwn(isoReasons, code) ? (isoReasons[code]?.refusal ?? "BANK_REJECTED") : "BANK_REJECTED"
