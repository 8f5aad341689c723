/**
 * What changes with a customer, beside its record: the events of its check.
 * Source: wire contract 6.1 and 7.6.
 */

import type { IdSource } from "../../foundation/ids/IdPool.ts"
import { checkTriggerFor, KybMachine, KycMachine } from "../../model/customer/CheckMachine.ts"
import type { CustomerType, KycStatus } from "../../model/customer/Customer.ts"
import { toCustomer } from "../../model/customer/CustomerResource.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import { newEvent } from "../event/NewEvent.ts"

const stepTo = (customerType: CustomerType, from: KycStatus | null, to: KycStatus) =>
  customerType === "INDIVIDUAL"
    ? KycMachine.step(from, checkTriggerFor[to])
    : KybMachine.step(from, checkTriggerFor[to])

/** Whether the check of a customer can come to a status. */
export const canReachCheckStatus = (customerType: CustomerType, from: KycStatus | null, to: KycStatus): boolean =>
  stepTo(customerType, from, to).moved

/** The events of a check that came to the customer's status. */
export const checkEvents = (
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
      newEvent(ids, now, {
        type,
        customerId: customer.id,
        subject: customer.id,
        data: withoutPlaceholders({ ...toCustomer(customer, owners) }),
      }),
    ),
  )
}
