/**
 * The audit log, which is an addition of this service.
 * Source: wire contract 11 (60); D-111.
 */
import { AuditOperation, AuditOutcome, AuditRecordListResponse } from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { extension } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { bound, exactly, idFilter, paging, sorting } from "./Parameters.ts"

export const AuditApi = HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("listAuditRecords", "/audit-records", {
      query: {
        actor: exactly("Only records of this API token or agent."),
        operation: Schema.optionalKey(AuditOperation),
        target: exactly("Only operations on this record."),
        customerId: idFilter("Customer"),
        outcome: Schema.optionalKey(AuditOutcome),
        startDate: bound("Recorded at this time or later."),
        endDate: bound("Recorded at this time or earlier."),
        ...paging,
        ...sorting,
      },
      success: AuditRecordListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "MANAGE", isForConsole: true })
      .annotateMerge(
        extension(
          "listAuditRecords",
          "List audit records",
          "An addition of this service: who did what, and when. It records approvals and rejections, actions that an agent's policy held or refused, changes of tokens, agents and configuration, and sandbox calls. A record is committed together with the operation and never changes.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Audit", description: "Records of who did what, and when." }))
