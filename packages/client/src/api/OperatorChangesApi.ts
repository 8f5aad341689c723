/**
 * A stream that says what changed on a platform: an addition of this service for pages that stay open.
 * Source: D-453; HTML Living Standard, 9.2 (server-sent events).
 */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { extension } from "./Documented.ts"
import { EventStream } from "./EventStream.ts"
import { failures } from "./Failures.ts"

export const OperatorChangesApi = HttpApiGroup.make("operatorChanges")
  .add(
    HttpApiEndpoint.get("watchChanges", "/operator/changes", { success: EventStream, error: failures() })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        extension(
          "watchChanges",
          "Watch what changes",
          'Server-sent events `changed` with data such as `{"topics":["events","records"]}`: what changed on the platform, to be read again, and no records. Topics: `approvals`, `events`, `deliveries`, `records`, `books`, `jobs`, `clock`, `audit`, `access`, `requests`, `inbox`; there may be others. A comment comes every 15 seconds. Events are not repeated, so read everything after a connect. 429 if too many streams are open.',
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Changes", description: "What changed on the platform." }))
