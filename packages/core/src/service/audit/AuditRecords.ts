/**
 * Lists the audit records of a platform.
 * Source: wire contract 11 (60); D-111.
 */
import { Context, Effect, Layer } from "effect"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import type { AuditOperation, AuditOutcome } from "../../model/audit/AuditRecord.ts"
import { type AuditRecordResource, toAuditRecord } from "../../model/audit/AuditRecordResource.ts"
import { between, type ListQuery, listPage, where } from "../../operation/Listing.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"

/** Filters of the audit records, all of which must hold. */
export interface AuditRecordsQuery extends ListQuery {
  /** The id of an API token or of an agent. */
  readonly actor?: string
  readonly operation?: AuditOperation
  /** The id of the record that the operation changed. */
  readonly target?: string
  readonly customerId?: string
  readonly outcome?: AuditOutcome
  /** Inclusive bounds on `createdAt`, Unix milliseconds. */
  readonly from?: number
  readonly to?: number
}

export class AuditRecords extends Context.Service<
  AuditRecords,
  {
    readonly list: (
      query: AuditRecordsQuery,
    ) => Effect.Effect<Page<AuditRecordResource>, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/AuditRecords") {
  static readonly layer = Layer.effect(
    AuditRecords,
    Effect.map(Store, (store) =>
      AuditRecords.of({
        list: ({ actor, customerId, from, operation, outcome, target, to, ...query }) =>
          listPage(
            "AuditRecord",
            where({ actorId: actor, operation, target, customerId, outcome, createdAt: between(from, to) }),
            query,
          ).pipe(
            Effect.map((page) => ({ ...page, data: page.data.map(toAuditRecord) })),
            platformOnly,
            Effect.provideService(Store, store),
          ),
      }),
    ),
  )
}
