/**
 * Verifications: a customer is submitted to a provider, which decides at once or reports later.
 * Spec: 4.6 (KYB); wire contract 5.8, 5.12 and 7.6; D-083.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { VerificationLoaded } from "../../decision/customer/VerificationChanges.ts"
import {
  answerKycLink,
  kycLinkRefusal,
  type ReportLoaded,
  reportVerification,
  submissionRefusal,
  submitVerification,
} from "../../decision/customer/VerificationDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as Outside from "../../foundation/kit/Outside.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import type { KycLinkResponse } from "../../model/customer/CustomerResource.ts"
import type { VerificationStatus } from "../../model/customer/Verification.ts"
import type { ReachedStatus } from "../../model/customer/VerificationMachine.ts"
import { toVerification, type VerificationResource } from "../../model/customer/VerificationResource.ts"
import { type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import { DocumentChecks } from "../../ports/DocumentChecks.ts"
import { type VerificationCheck, type VerificationOutcome, Verifier } from "../../ports/Verifier.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { Files } from "../file/Files.ts"
import { loadCustomer } from "./CustomerReads.ts"
import { loadDocuments, loadOpenVerification } from "./OpenVerification.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

export interface VerificationsQuery extends ListQuery {
  readonly customerId?: string
  readonly verificationStatus?: VerificationStatus
}

/** The verification, and an event with its delivery for two of its steps and for the customer, with one to spare. */
const ids = 8

/**
 * Loads a customer that may be sent to the provider. This refusal stays in load: a decided one would be stored under the
 * idempotency key, and the key would still refuse the link after the contacts are confirmed.
 */
const loadForLink = Effect.fnUntraced(function* (read: Operation.Read, customerId: string) {
  const { customer } = yield* loadCustomer(read, customerId)
  const refusal = kycLinkRefusal(customer.data)
  return refusal === undefined ? { customer } : yield* new ServiceError(refusal)
})

export class Verifications extends Context.Service<
  Verifications,
  {
    /** Submits a customer to verification. Errors: `INVALID_INPUT` once it is decided; `USER_NOT_FOUND`. */
    readonly submit: (customerId: string) => Result<Operation.Answered<VerificationResource>>
    readonly get: (verificationId: string) => Result<VerificationResource>
    readonly list: (query: VerificationsQuery) => Result<Page<VerificationResource>>
    /** Stores what a provider reports later, for the embedding program. A repeated report changes nothing. */
    readonly report: (customerId: string, outcome: VerificationOutcome) => Result<void>
    /** Returns a link to the provider's page. Errors: `CONFLICT` while a contact awaits confirmation; `USER_NOT_FOUND`. */
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
      const checks = yield* DocumentChecks
      const files = yield* Files
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      /** Loads a customer with its owners and its open verification. */
      const load = Effect.fnUntraced(function* (read: Operation.Read, customerId: string) {
        const found = yield* loadCustomer(read, customerId)
        const loaded: VerificationLoaded = {
          ...found,
          open: yield* loadOpenVerification(store, customerId),
          documents: yield* loadDocuments(store, customerId),
        }
        return loaded
      })

      /** Submits the customer to the provider, unless it is decided or lacks something. */
      const askOutcome = Effect.fnUntraced(function* ({ customer, documents, owners }: VerificationLoaded) {
        if (submissionRefusal(customer.data) !== undefined) return { outcome: undefined }
        const check: VerificationCheck = {
          customerId: customer.id,
          customer: customer.data,
          owners: owners.map((owner) => ({ ownerId: owner.id, owner: owner.data })),
          documents: documents.map(({ data, id }) => ({
            documentId: id,
            document: data,
            read: () => files.read(data.fileId),
          })),
        }
        const errors = checks.missing(check)
        const incomplete: VerificationOutcome = { status: "RESOLVE_ERRORS", errors, owners: [] }
        return { outcome: errors.length > 0 ? incomplete : yield* verifier.verifyCustomer(check) }
      })

      const submit = Effect.fnUntraced(
        function* (customerId: string) {
          return yield* Operation.run({
            name: "Verifications.submit",
            ids,
            load: (read) => load(read, customerId),
            ask: askOutcome,
            decide: submitVerification,
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      /** The recorded verification is read last: a report that records one after the customer was read makes the commit a conflict. */
      const loadReport = Effect.fnUntraced(function* (read: Operation.Read, customerId: string, status: ReachedStatus) {
        const loaded = yield* load(read, customerId)
        const filters = where({ customerId, verificationStatus: status })
        const { data } = yield* store.list("Verification", filters, { limit: 1, order: "desc" })
        return { ...loaded, isRecorded: data.length > 0 } satisfies ReportLoaded
      })

      const report = Effect.fnUntraced(
        function* (customerId: string, outcome: VerificationOutcome) {
          yield* Operation.run({
            name: "Verifications.report",
            ids,
            load: (read) => loadReport(read, customerId, outcome.status),
            decide: reportVerification(outcome),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const kycLink = Effect.fnUntraced(
        function* (customerId: string, redirectUri: string | undefined, keyed?: Operation.Keyed) {
          return yield* Operation.run({
            name: "Verifications.kycLink",
            keyed,
            load: (read) => loadForLink(read, customerId),
            ask: () => Effect.map(verifier.kycLink({ customerId, redirectUri }), (link) => ({ link })),
            decide: answerKycLink,
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const get = (verificationId: string) =>
        readExisting(store.read, "Verification", verificationId, notFound("verification")).pipe(
          Effect.map(toVerification),
          platformOnly,
        )

      const list = ({ customerId, verificationStatus, ...query }: VerificationsQuery) =>
        listPage("Verification", where({ customerId, verificationStatus }), query).pipe(
          Effect.map((page) => ({ ...page, data: page.data.map(toVerification) })),
          platformOnly,
          Effect.provideService(Store, store),
        )

      return Verifications.of({
        submit,
        report: (customerId, outcome) => report(customerId, Outside.clean(outcome)),
        kycLink,
        get,
        list,
      })
    }),
  )
}
