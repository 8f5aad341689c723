/**
 * The states of the check of a person (KYC), a business (KYB) and a beneficial owner. They share one table; two emit events.
 * Source: wire contract 5.11, 6.1 and 7.6 (the specification names the states PENDING, REJECTED and APPROVED); D-082.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

/** Emits no event for an owner: the events of its business show the owners. */
export const OwnerKycMachine = Machine.make({
  name: "OwnerKyc",
  arrows: [
    [null, "Register", "UNVERIFIED"],
    [null, "Await", "PENDING"],
    [null, "Approve", "APPROVED"],
    [null, "Reject", "REJECTED"],
    [null, "Suspend", "HOLD"],
    ["UNVERIFIED", "Await", "PENDING"],
    ["UNVERIFIED", "Approve", "APPROVED"],
    ["UNVERIFIED", "Reject", "REJECTED"],
    ["UNVERIFIED", "Suspend", "HOLD"],
    ["PENDING", "Approve", "APPROVED"],
    ["PENDING", "Reject", "REJECTED"],
    ["PENDING", "Suspend", "HOLD"],
    ["APPROVED", "Suspend", "HOLD"],
    ["HOLD", "Await", "PENDING"],
    ["HOLD", "Approve", "APPROVED"],
    ["HOLD", "Reject", "REJECTED"],
  ],
})

export const KycMachine = Machine.withEvents("Kyc", OwnerKycMachine, {
  Await: ["CUSTOMER.KYC_PENDING"],
  Approve: ["CUSTOMER.KYC_APPROVED"],
  Reject: ["CUSTOMER.KYC_REJECTED"],
})

export const KybMachine = Machine.withEvents("Kyb", OwnerKycMachine, {
  Await: ["CUSTOMER.KYB_PENDING"],
  Approve: ["CUSTOMER.KYB_APPROVED"],
  Reject: ["CUSTOMER.KYB_REJECTED"],
})
