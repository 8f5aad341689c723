/**
 * Decides the confirmation of a customer's e-mail address or telephone number by a code.
 * Spec: Errors, other rules (1); wire contract 5.8, 5.12 and 11 (3, 53); D-086, D-334.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import type { Customer } from "../../model/customer/Customer.ts"
import { type CustomerResource, toCustomer } from "../../model/customer/CustomerResource.ts"
import { endOfWindow, limitKey, limitRefusal } from "../../model/limit/LimitCounter.ts"
import type { SecurityCodeRequest } from "../../ports/SecurityCodes.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { decideGuess } from "../GuessDecision.ts"

/** The kinds of contacts that a customer confirms. */
export type Contact = "email" | "phone"

/** The counter of a contact's wrong codes on the UTC day of `now` (ms). */
export const wrongCodesKey = (customerId: string, contact: Contact, now: number): string =>
  limitKey("CONTACT_CODE_CHECKS", `${customerId}:${contact}`, now)

const addressOf = ({ email, phoneNumber }: Customer, contact: Contact): string | undefined =>
  contact === "email" ? email : phoneNumber

/** Returns the request to send or check a code, or `undefined` if the customer has no such contact. */
export const codeRequestOf = ({ data, id }: Stored<"Customer">, contact: Contact): SecurityCodeRequest | undefined => {
  const address = addressOf(data, contact)
  return address === undefined ? undefined : { customerId: id, purpose: contact, address }
}

const conflict = (message: string, reason: string): Refusal => ({ code: "CONFLICT", message, details: { reason } })

const noContact = conflict("The customer has no such contact.", "NO_CONTACT")

/** Returns why the contact needs no confirmation, or `undefined` if it awaits one. */
export const confirmationRefusal = (
  { data }: Stored<"Customer">,
  contact: Contact,
  scaRegions: ReadonlyArray<string>,
): Refusal | undefined => {
  const { contactVerification, region } = data
  if (region === undefined || !scaRegions.includes(region)) {
    return conflict("The customer's region does not require confirmed contacts.", "NOT_REQUIRED")
  }
  if (addressOf(data, contact) === undefined) return noContact
  if (contactVerification?.[contact] === "VERIFIED") {
    return conflict("The contact has been confirmed already.", "ALREADY_VERIFIED")
  }
  return undefined
}

export interface ConfirmationLoaded {
  readonly customer: Stored<"Customer">
  readonly owners: ReadonlyArray<Stored<"BeneficialOwner">>
  /** The counter of wrong codes of today, its value and the largest one. */
  readonly counterKey: string
  readonly wrongCodes: number
  readonly wrongCodesMax: number
  /** Whether the provider confirms the code. False if the provider was not asked. */
  readonly isRightCode: boolean
}

/** Sends a code to the contact after the commit. */
export const sendCode =
  (contact: Contact, scaRegions: ReadonlyArray<string>) =>
  ({ customer }: Pick<ConfirmationLoaded, "customer">): Decision<SecurityCodeRequest> => {
    const refusal = confirmationRefusal(customer, contact, scaRegions)
    const request = codeRequestOf(customer, contact)
    if (refusal !== undefined || request === undefined) return refuse(refusal ?? noContact)
    const channel = contact === "email" ? "EMAIL" : "SMS"
    const send = { channel, recipient: request.address, customerId: customer.id } as const
    return answer(204, request, { codeSends: [send] })
  }

/**
 * Confirms the contact. The counter of wrong codes bounds what concurrent wrong codes add; a right code asserts its value. A wrong code
 * depends on the customer, so that none that was checked before a right one is answered apart after it.
 */
export const confirmContact =
  (contact: Contact, scaRegions: ReadonlyArray<string>) =>
  (loaded: ConfirmationLoaded, { now }: DecisionContext): Decision<CustomerResource> => {
    const { counterKey, customer, isRightCode, owners, wrongCodes, wrongCodesMax } = loaded
    const refusal = confirmationRefusal(customer, contact, scaRegions)
    if (refusal !== undefined) return refuse(refusal)
    const availableAt = endOfWindow("CONTACT_CODE_CHECKS", now)
    const contactVerification = { ...customer.data.contactVerification, [contact]: "VERIFIED" as const }
    const data: Customer = { ...customer.data, contactVerification }
    return decideGuess({
      refused:
        wrongCodes < wrongCodesMax
          ? undefined
          : limitRefusal("CONTACT_CODE_CHECKS", { availableAt, count: wrongCodesMax, now }),
      isRight: isRightCode,
      wrong: {
        refusal: invalidInput([{ field: "code", message: "must be the code that was sent" }]),
        counted: Changes.combine(
          { counters: [{ key: counterKey, delta: 1, max: wrongCodesMax }] },
          Changes.guard(customer),
        ),
      },
      right: () => ({
        decision: answer(200, toCustomer(Changes.after(customer, data, now), owners), Changes.update(customer, data)),
        counted: { counters: [{ key: counterKey, delta: 0, expected: wrongCodes }] },
      }),
    })
  }
