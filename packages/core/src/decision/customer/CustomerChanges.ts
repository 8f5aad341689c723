/**
 * What changes with a customer, beside its record: the events of its check.
 * Source: wire contract 6.1 and 7.6.
 */

import type { IdSource } from "../../foundation/ids/IdPool.ts"
import { KybMachine, KycMachine } from "../../model/customer/CheckMachine.ts"
import type { CustomerType, KycStatus } from "../../model/customer/Customer.ts"
import { toCustomer } from "../../model/customer/CustomerResource.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import { newEvent } from "../event/NewEvent.ts"

const machineOf = (customerType: CustomerType) => (customerType === "INDIVIDUAL" ? KycMachine : KybMachine)

/** Whether the check of a customer can come to a status. */
export const canReachCheckStatus = (customerType: CustomerType, from: KycStatus | null, to: KycStatus): boolean =>
  machineOf(customerType).triggerBetween(from, to) !== undefined

/** The events of a check that came to the customer's status. */
export const checkEvents = (
  ids: IdSource,
  now: number,
  from: KycStatus | null,
  customer: Stored<"Customer">,
  owners: ReadonlyArray<Stored<"BeneficialOwner">> = [],
): Changes.Changes => {
  const { checkStatus, customerType } = customer.data
  const { emits } = machineOf(customerType).followTo(from, checkStatus)
  return Changes.combine(
    ...emits.map((type) =>
      newEvent(ids, now, {
        type,
        customerId: customer.id,
        subject: customer.id,
        data: withoutPlaceholders({ ...toCustomer(customer, owners) }),
      }),
    ),
  )
}
