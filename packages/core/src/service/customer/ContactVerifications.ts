/**
 * A customer confirms its e-mail address and telephone number, where its region asks for that.
 * Spec: Errors, other rules (1); wire contract 5.8, 5.12 and 11 (3, 53); D-086.
 */
import { Clock, Context, Effect, Layer, type Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { invalidInput, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Customer } from "../../model/customer/Customer.ts"
import { type CustomerResource, toCustomer } from "../../model/customer/CustomerResource.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { SecurityCodes } from "../../ports/SecurityCodes.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { ScaRegions } from "../../settings/ScaRegions.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadCustomer } from "./Customers.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** A way to reach a customer. */
export type Contact = "email" | "phone"

const dayMillis = 24 * 60 * 60 * 1000
/** So many wrong codes a day, and no more are looked at: a code of six digits is not to be tried out. */
const wrongCodesMax = 10

const addressOf = (data: Customer, contact: Contact): string | undefined =>
  contact === "email" ? data.email : data.phoneNumber

const conflict = (message: string, reason: string) =>
  new ServiceError({ code: "CONFLICT", message, details: { reason } })

export class ContactVerifications extends Context.Service<
  ContactVerifications,
  {
    /** Sends a code. Errors: `CONFLICT` where none is needed, or no longer; `USER_NOT_FOUND`. */
    readonly send: (customerId: string, contact: Contact) => Result<void>
    /** Errors: those of `send`, `INVALID_INPUT` for a wrong code, `RATE_LIMITED` for too many. */
    readonly confirm: (
      customerId: string,
      contact: Contact,
      code: Redacted.Redacted,
    ) => Result<Operation.Answered<CustomerResource>>
  }
>()("@countersign/core/ContactVerifications") {
  static readonly layer = Layer.effect(
    ContactVerifications,
    Effect.gen(function* () {
      const store = yield* Store
      const codes = yield* SecurityCodes
      const regions = yield* ScaRegions
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const load = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, customerId: string, contact: Contact) {
        const found = yield* loadCustomer(read, customerId)
        const { contactVerification, region } = found.customer.data
        const address = addressOf(found.customer.data, contact)
        if (region === undefined || !regions.includes(region)) {
          return yield* conflict("The customer's region does not require confirmed contacts.", "NOT_REQUIRED")
        }
        if (address === undefined) return yield* conflict("The customer has no such contact.", "NO_CONTACT")
        if (contactVerification?.[contact] === "VERIFIED") {
          return yield* conflict("The contact has been confirmed already.", "ALREADY_VERIFIED")
        }
        return { ...found, request: { customerId, purpose: contact, address } }
      })

      const send = Effect.fnUntraced(
        function* (customerId: string, contact: Contact) {
          const { request } = yield* load(store.read, customerId, contact)
          yield* codes.send(request)
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const loadAndCheck = Effect.fnUntraced(function* (
        read: Operation.Read,
        customerId: string,
        contact: Contact,
        code: Redacted.Redacted,
      ) {
        const loaded = yield* load(read, customerId, contact)
        const now = yield* Clock.currentTimeMillis
        const key = `wrong-codes:${customerId}:${contact}:${Math.floor(now / dayMillis)}`
        const wrong = (yield* read({ counters: [key] })).counter(key)
        const isRight = wrong < wrongCodesMax && (yield* codes.check(loaded.request, code))
        return { ...loaded, key, wrong, isRight }
      })

      const confirm = Effect.fnUntraced(
        function* (customerId: string, contact: Contact, code: Redacted.Redacted) {
          return yield* Operation.run({
            name: "ContactVerifications.confirm",
            load: (read) => loadAndCheck(read, customerId, contact, code),
            decide: ({ customer, isRight, key, owners, wrong }, { now, rejections }) => {
              if (wrong >= wrongCodesMax || rejections.length > 0) {
                return Operation.refuse({
                  code: "RATE_LIMITED",
                  message: "Too many wrong codes today.",
                  details: { retryAfterSeconds: Math.ceil((dayMillis - (now % dayMillis)) / 1000) },
                })
              }
              if (!isRight) {
                return Operation.refuse(invalidInput([{ field: "code", message: "must be the code that was sent" }]), {
                  counters: [{ key, delta: 1, max: wrongCodesMax }],
                })
              }
              const contactVerification = { ...customer.data.contactVerification, [contact]: "VERIFIED" as const }
              const data: Customer = { ...customer.data, contactVerification }
              return Operation.answer(
                200,
                toCustomer(Changes.after(customer, data, now), owners),
                Changes.update(customer, data),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return ContactVerifications.of({ send, confirm })
    }),
  )
}
