/**
 * The events of a customer's check.
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

/** Whether the check of a customer can reach a status. */
export const canReachCheckStatus = (customerType: CustomerType, from: KycStatus | null, to: KycStatus): boolean =>
  machineOf(customerType).triggerBetween(from, to) !== undefined

/** Emits the events of a check that has reached the customer's present status. */
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
