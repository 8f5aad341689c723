/**
 * Faults of the sandbox's ports: additions of this service.
 * Source: D-480.
 */
import { FaultsRequest, FaultsResource } from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { extension } from "./Documented.ts"
import { failures } from "./Failures.ts"

const refused = "409 if several platforms share the server."

/** A class, so that the type of the whole interface refers to it by name. */
export class SandboxFaultsApi extends HttpApiGroup.make("sandboxFaults")
  .add(
    HttpApiEndpoint.get("sandboxGetFaults", "/sandbox/faults", { success: FaultsResource, error: failures(409) })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        extension("sandboxGetFaults", "Get the faults", `Those that are on, and how many calls met them. ${refused}`),
      ),
    HttpApiEndpoint.put("sandboxSetFaults", "/sandbox/faults", {
      payload: FaultsRequest,
      success: FaultsResource,
      error: failures(409),
    })
      .annotate(Access, { tokenPermission: "MANAGE", isForConsole: true })
      .annotateMerge(
        extension(
          "sandboxSetFaults",
          "Switch faults on",
          `Replaces all faults: a port that is left out has none. They belong to the running process, until they are switched off, the world is reset, or it ends. ${refused}`,
        ),
      ),
    HttpApiEndpoint.delete("sandboxClearFaults", "/sandbox/faults", {
      success: HttpApiSchema.NoContent,
      error: failures(409),
    })
      .annotate(Access, { tokenPermission: "MANAGE", isForConsole: true })
      .annotateMerge(extension("sandboxClearFaults", "Switch all faults off", `No port has a fault then. ${refused}`)),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({ title: "Sandbox faults", description: "Ports of the sandbox that fail on purpose." }),
  ) {}
