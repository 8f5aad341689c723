/**
 * Verifications: a customer is sent to its check, and a provider that decides later is heard.
 * Spec: 4.6 (KYB); wire contract 5.8, 5.12 and 7.6; D-083.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { applyOutcome, type VerificationLoaded } from "../../decision/customer/VerificationChanges.ts"
import { invalidInput, notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import { isDecided } from "../../model/customer/Customer.ts"
import type { KycLinkResponse } from "../../model/customer/CustomerResource.ts"
import type { VerificationStatus } from "../../model/customer/Verification.ts"
import { VerificationMachine } from "../../model/customer/VerificationMachine.ts"
import { toVerification, type VerificationResource } from "../../model/customer/VerificationResource.ts"
import { type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { type KycLink, type VerificationOutcome, Verifier } from "../../ports/Verifier.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadCustomer } from "./Customers.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

export interface VerificationsQuery extends ListQuery {
  readonly customerId?: string
  readonly verificationStatus?: VerificationStatus
}

/** An event with its delivery for the verification and for the customer, and the verification itself. */
const ids = 6
const openStatuses = VerificationMachine.states.filter((state) => !VerificationMachine.isTerminal(state))

export class Verifications extends Context.Service<
  Verifications,
  {
    /** Sends a customer to its check. Errors: `INVALID_INPUT` once it is decided, `USER_NOT_FOUND`. */
    readonly submit: (customerId: string) => Result<Operation.Answered<VerificationResource>>
    readonly get: (verificationId: string) => Result<VerificationResource>
    readonly list: (query: VerificationsQuery) => Result<Page<VerificationResource>>
    /** Stores what a provider says later; for the embedding program. The same word twice changes nothing more. */
    readonly report: (customerId: string, outcome: VerificationOutcome) => Result<void>
    /** A page of the provider for a person. Errors: `CONFLICT` while a contact is to be confirmed, `USER_NOT_FOUND`. */
    readonly kycLink: (
      customerId: string,
      redirectUri: string | undefined,
      keyed?: Operation.Keyed,
    ) => Result<Operation.Answered<KycLinkResponse>>
  }
>()("@countersign/core/Verifications") {
  static readonly layer = Layer.effect(
    Verifications,
    Effect.gen(function* () {
      const store = yield* Store
      const verifier = yield* Verifier
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const load = Effect.fnUntraced(function* (read: Operation.Read, customerId: string) {
        const found = yield* loadCustomer(read, customerId)
        const { data } = yield* store.list(
          "Verification",
          { customerId: { eq: customerId }, verificationStatus: { in: openStatuses } },
          { limit: 1, order: "desc" },
        )
        const loaded: VerificationLoaded = { ...found, open: data[0] }
        return loaded
      })

      const loadAndAsk = Effect.fnUntraced(function* (read: Operation.Read, customerId: string) {
        const loaded = yield* load(read, customerId)
        const { customer, owners } = loaded
        const { checkStatus } = customer.data
        if (isDecided(checkStatus)) {
          return yield* new ServiceError({
            ...invalidInput([{ field: "customerId", message: `must not be decided: the customer is ${checkStatus}` }]),
          })
        }
        const outcome = yield* verifier.verifyCustomer({
          customerId,
          customer: customer.data,
          owners: owners.map((owner) => ({ ownerId: owner.id, owner: owner.data })),
        })
        return { loaded, outcome }
      })

      const submit = Effect.fnUntraced(
        function* (customerId: string) {
          return yield* Operation.run({
            name: "Verifications.submit",
            ids,
            load: (read) => loadAndAsk(read, customerId),
            decide: ({ loaded, outcome }, context) => {
              const { changes, verification } = applyOutcome(loaded, outcome, context.ids, context.now)
              return Operation.answer(200, toVerification(verification), changes)
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const report = Effect.fnUntraced(
        function* (customerId: string, outcome: VerificationOutcome) {
          yield* Operation.run({
            name: "Verifications.report",
            ids,
            load: (read) => load(read, customerId),
            decide: (loaded, context) => {
              const { checkStatus } = loaded.customer.data
              const isSame = (outcome.checkStatus ?? outcome.status) === checkStatus
              if (loaded.open === undefined && isSame) return Operation.answer(200, null)
              return Operation.answer(200, null, applyOutcome(loaded, outcome, context.ids, context.now).changes)
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const loadAndLink = Effect.fnUntraced(function* (
        read: Operation.Read,
        customerId: string,
        redirectUri: string | undefined,
      ) {
        const { customer } = yield* loadCustomer(read, customerId)
        const { email, phone } = customer.data.contactVerification ?? {}
        if (email === "PENDING" || phone === "PENDING") {
          return yield* new ServiceError({
            code: "CONFLICT",
            message: "The customer's contacts are to be confirmed first.",
            details: { reason: "CONTACT_VERIFICATION_OUTSTANDING" },
          })
        }
        const link: KycLink = yield* verifier.kycLink({ customerId, redirectUri })
        return { customer, link }
      })

      const kycLink = Effect.fnUntraced(
        function* (customerId: string, redirectUri: string | undefined, keyed?: Operation.Keyed) {
          return yield* Operation.run({
            name: "Verifications.kycLink",
            keyed,
            load: (read) => loadAndLink(read, customerId, redirectUri),
            decide: ({ customer, link }) => {
              const { expiresAt, kycUrl, provider, token } = link
              return Operation.answer<KycLinkResponse>(
                201,
                { kycUrl, expiresAt: iso(expiresAt), provider, ...(token === undefined ? {} : { token }) },
                Changes.guard(customer),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Verifications.of({
        submit,
        report,
        kycLink,
        get: (verificationId) =>
          Effect.gen(function* () {
            const read = yield* store.read({ records: [{ kind: "Verification", id: verificationId }] })
            const verification = read.record("Verification", verificationId)
            return verification === undefined
              ? yield* new ServiceError(notFound("verification"))
              : toVerification(verification)
          }).pipe(platformOnly),
        list: ({ customerId, verificationStatus, ...query }) =>
          listPage("Verification", where({ customerId, verificationStatus }), query).pipe(
            Effect.map((page) => ({ ...page, data: page.data.map(toVerification) })),
            platformOnly,
            Effect.provideService(Store, store),
          ),
      })
    }),
  )
}
