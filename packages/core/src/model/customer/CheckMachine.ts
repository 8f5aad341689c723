/**
 * The states of the check of a person, of a business, and of a business's owner: one table, of which two tell the platform.
 * Source: wire contract 5.11, 6.1 and 7.6 (the specification names the states PENDING, REJECTED and APPROVED); D-082.
 */
import * as Machine from "../../foundation/kit/Machine.ts"
import type { KycStatus } from "./Customer.ts"

const states = ["UNVERIFIED", "PENDING", "APPROVED", "REJECTED", "HOLD"] as const
const triggers = ["Register", "Await", "Approve", "Reject", "Suspend"] as const
type Trigger = (typeof triggers)[number]

interface Told<E extends string> {
  readonly pending: ReadonlyArray<E>
  readonly approved: ReadonlyArray<E>
  readonly rejected: ReadonlyArray<E>
}

const machine = <const E extends string = never>(name: string, { approved, pending, rejected }: Told<E>) =>
  Machine.make<KycStatus, Trigger, E>({
    name,
    states,
    triggers,
    arrows: [
      [null, "Register", "UNVERIFIED"],
      [null, "Await", "PENDING", pending],
      [null, "Approve", "APPROVED", approved],
      [null, "Reject", "REJECTED", rejected],
      [null, "Suspend", "HOLD"],
      ["UNVERIFIED", "Await", "PENDING", pending],
      ["UNVERIFIED", "Approve", "APPROVED", approved],
      ["UNVERIFIED", "Reject", "REJECTED", rejected],
      ["UNVERIFIED", "Suspend", "HOLD"],
      ["PENDING", "Approve", "APPROVED", approved],
      ["PENDING", "Reject", "REJECTED", rejected],
      ["PENDING", "Suspend", "HOLD"],
      ["APPROVED", "Suspend", "HOLD"],
      ["HOLD", "Await", "PENDING", pending],
      ["HOLD", "Approve", "APPROVED", approved],
      ["HOLD", "Reject", "REJECTED", rejected],
    ],
  })

export const KycMachine = machine("Kyc", {
  pending: ["CUSTOMER.KYC_PENDING"],
  approved: ["CUSTOMER.KYC_APPROVED"],
  rejected: ["CUSTOMER.KYC_REJECTED"],
})

export const KybMachine = machine("Kyb", {
  pending: ["CUSTOMER.KYB_PENDING"],
  approved: ["CUSTOMER.KYB_APPROVED"],
  rejected: ["CUSTOMER.KYB_REJECTED"],
})

/** No event tells of an owner alone: the events of its business show it. */
export const OwnerKycMachine = machine("OwnerKyc", { pending: [], approved: [], rejected: [] })

/** Which trigger leads to a status. */
export const checkTriggerFor: { readonly [status in KycStatus]: Trigger } = {
  UNVERIFIED: "Register",
  PENDING: "Await",
  APPROVED: "Approve",
  REJECTED: "Reject",
  HOLD: "Suspend",
}
