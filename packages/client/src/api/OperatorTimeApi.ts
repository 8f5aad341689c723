/**
 * What falls due next on a platform, for its operator: an addition of this service.
 * Source: D-455.
 */
import { UpcomingJobListResponse } from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { extension } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { paging } from "./Parameters.ts"

export const OperatorTimeApi = HttpApiGroup.make("operatorTime")
  .add(
    HttpApiEndpoint.get("listUpcomingJobs", "/operator/jobs", {
      query: paging,
      success: UpcomingJobListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        extension(
          "listUpcomingJobs",
          "List upcoming jobs",
          "The unfinished work of the platform in the order in which it falls due, work that is due and delayed included. Parked jobs are in a list of their own.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Time", description: "What falls due, for the operator." }))
