/**
 * What changes with a customer, beside its record: the events of its check.
 * Source: wire contract 6.1 and 7.6.
 */
import { announce } from "../event/Announce.ts"
import type { IdSource } from "../ids/IdPool.ts"
import * as Changes from "../operation/Changes.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import { plain } from "../ports/Facts.ts"
import { KybMachine, KycMachine, triggerTo } from "./CheckMachine.ts"
import type { CustomerType, KycStatus } from "./Customer.ts"
import { toCustomer } from "./CustomerResource.ts"

const stepTo = (customerType: CustomerType, from: KycStatus | null, to: KycStatus) =>
  customerType === "INDIVIDUAL" ? KycMachine.step(from, triggerTo[to]) : KybMachine.step(from, triggerTo[to])

/** Whether the check of a customer can come to a status. */
export const canCome = (customerType: CustomerType, from: KycStatus | null, to: KycStatus): boolean =>
  stepTo(customerType, from, to).moved

/** The events of a check that came to the customer's status. */
export const checkTold = (
  ids: IdSource,
  now: number,
  from: KycStatus | null,
  customer: Stored<"Customer">,
  owners: ReadonlyArray<Stored<"BeneficialOwner">> = [],
): Changes.Changes => {
  const { checkStatus, customerType } = customer.data
  const step = stepTo(customerType, from, checkStatus)
  if (!step.moved) throw new Error(`the check of a customer does not come from ${from ?? "(none)"} to ${checkStatus}`)
  return Changes.combine(
    ...step.emits.map((type) =>
      announce(ids, now, {
        type,
        customerId: customer.id,
        subject: customer.id,
        data: plain({ ...toCustomer(customer, owners) }),
      }),
    ),
  )
}
