/**
 * Records of every type, for the operator of a platform: additions of this service.
 * Source: D-467.
 */
import { atMost, FoundRecords, RecordDetail, RecordListResponse, RecordTypeName } from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { extension } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { bound, exactly, paging, pathId, sorting } from "./Parameters.ts"

const view = { tokenPermission: "VIEW", isForConsole: true } as const

export const OperatorRecordsApi = HttpApiGroup.make("operatorRecords")
  .add(
    HttpApiEndpoint.get("listRecords", "/operator/records", {
      query: {
        type: RecordTypeName,
        state: exactly("Only records in this state, if the type filters by it."),
        relatedTo: exactly("Only records that name this one."),
        startDate: bound("Created at this time or later."),
        endDate: bound("Created at this time or earlier."),
        ...paging,
        ...sorting,
      },
      success: RecordListResponse,
      error: failures(),
    })
      .annotate(Access, view)
      .annotateMerge(
        extension(
          "listRecords",
          "List records of a type",
          "The newest first, deleted ones included: what names each, its state and its customer.",
        ),
      ),
    HttpApiEndpoint.get("findRecords", "/operator/find", {
      query: {
        text: Schema.String.check(Schema.isMinLength(1), atMost("text")).annotate({
          description:
            "An id, with or without its type, or the exact `platformCustomerId`, UMA address, `platformCardId` or reference.",
        }),
      },
      success: FoundRecords,
      error: failures(),
    })
      .annotate(Access, view)
      .annotateMerge(extension("findRecords", "Find a record", "Finds records of any type by an id or a key.")),
    HttpApiEndpoint.get("getRecord", "/operator/records/:recordId", {
      params: { recordId: pathId("record, of any type") },
      success: RecordDetail,
      error: failures(404),
    })
      .annotate(Access, view)
      .annotateMerge(
        extension(
          "getRecord",
          "Get a record's states and versions",
          "Its state machines with the present states, the records that it names, and when its states changed. `resourcePath` says where the record itself is read.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({ title: "Records", description: "Records of every type, for the operator of a platform." }),
  )
