/**
 * The table of information that a business must supply before it sends to a business, by currency of the destination.
 * Spec: Beneficiary (business senders must also supply registrationNumber); wire contract 10 (49).
 */
import * as Table from "../../foundation/kit/Table.ts"

const registered = ["registrationNumber"] as const

export const SenderInformation = Table.make("SenderInformation", {
  GBP: registered,
  INR: registered,
  BRL: registered,
  DKK: registered,
  PHP: registered,
  HKD: registered,
  IDR: registered,
  MYR: registered,
  SGD: registered,
  THB: registered,
  VND: registered,
  AED: registered,
})
