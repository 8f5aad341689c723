/**
 * The confirmation of customers' e-mail addresses and telephone numbers, in regions that require it.
 * Spec: Errors, other rules (1); wire contract 5.8, 5.12 and 11 (3, 53); D-086.
 */
import { Clock, Context, Effect, Layer, type Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  type Contact,
  codeRequestOf,
  confirmationRefusal,
  confirmContact,
  sendCode,
  wrongCodesKey,
} from "../../decision/customer/ContactVerificationDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { CustomerResource } from "../../model/customer/CustomerResource.ts"
import { countOf } from "../../model/limit/UseLimits.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { SecurityCodes } from "../../ports/SecurityCodes.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { ScaRegions } from "../../settings/ScaRegions.ts"
import { UseLimitSettings } from "../../settings/UseLimitSettings.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"
import { loadCustomer } from "./CustomerReads.ts"

export type { Contact } from "../../decision/customer/ContactVerificationDecision.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** Loads the customer and the wrong codes of today. */
const loadForConfirmation = Effect.fnUntraced(function* (read: Operation.Read, customerId: string, contact: Contact) {
  const found = yield* loadCustomer(read, customerId)
  const counterKey = wrongCodesKey(customerId, contact, yield* Clock.currentTimeMillis)
  const counters = yield* read({ counters: [counterKey] })
  const { counts } = yield* UseLimitSettings
  const wrongCodesMax = countOf("CONTACT_CODE_CHECKS", counts) ?? 0
  return { ...found, counterKey, wrongCodes: counters.counter(counterKey), wrongCodesMax }
})

interface Loaded {
  readonly customer: Stored<"Customer">
  readonly wrongCodes: number
  readonly wrongCodesMax: number
}

export class ContactVerifications extends Context.Service<
  ContactVerifications,
  {
    /** Sends a code. Errors: `CONFLICT` if the contact needs no confirmation; `USER_NOT_FOUND`; `RATE_LIMITED`. */
    readonly send: (customerId: string, contact: Contact) => Result<void>
    /** Errors: those of `send`; `INVALID_INPUT` for a wrong code; `RATE_LIMITED` for too many. */
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
      const codes = yield* SecurityCodes
      const scaRegions = yield* ScaRegions
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const send = Effect.fnUntraced(
        function* (customerId: string, contact: Contact) {
          const { body } = yield* Operation.run({
            name: "ContactVerifications.send",
            load: (read) => loadCustomer(read, customerId),
            decide: sendCode(contact, scaRegions),
          })
          // Sent after the commit, which has counted it.
          yield* codes.send(body)
        },
        platformOnly,
        Effect.provideContext(services),
      )

      /** Asks the provider about the code, if the contact awaits one and not too many codes were wrong. */
      const askCode = Effect.fnUntraced(function* (
        { customer, wrongCodes, wrongCodesMax }: Loaded,
        contact: Contact,
        code: Redacted.Redacted,
      ) {
        const request = codeRequestOf(customer, contact)
        const isRefused = confirmationRefusal(customer, contact, scaRegions) !== undefined
        if (request === undefined || isRefused || wrongCodes >= wrongCodesMax) return { isRightCode: false }
        return { isRightCode: yield* codes.check(request, code) }
      })

      const confirm = Effect.fnUntraced(
        function* (customerId: string, contact: Contact, code: Redacted.Redacted) {
          return yield* Operation.run({
            name: "ContactVerifications.confirm",
            load: (read) => loadForConfirmation(read, customerId, contact),
            ask: (loaded) => askCode(loaded, contact, code),
            decide: confirmContact(contact, scaRegions),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return ContactVerifications.of({ send, confirm })
    }),
  )
}
