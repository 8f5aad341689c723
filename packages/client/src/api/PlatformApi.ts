/**
 * A platform's configuration.
 * Source: wire contract 5.8 and 5.12.
 */
import { PlatformConfigResource, PlatformConfigUpdateRequest } from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"

export const PlatformApi = HttpApiGroup.make("platform")
  .add(
    HttpApiEndpoint.get("getPlatformConfig", "/config", { success: PlatformConfigResource, error: failures() })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented("getPlatformConfig", "Get the configuration", "The configuration of the calling platform."),
      ),
    HttpApiEndpoint.patch("updatePlatformConfig", "/config", {
      payload: PlatformConfigUpdateRequest,
      success: PlatformConfigResource,
      error: failures(501),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "updatePlatformConfig",
          "Update the configuration",
          "Omitted fields keep their value; `feeConfigs` are merged by type and currency, and a zero fee disables an entry. A new `webhookEndpoint` receives a `TEST` event. A new currency opens accounts for the platform at once and for its customers soon after.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Platform", description: "The configuration of a platform." }))
