/**
 * Worlds of the sandbox, saved under names: additions of this service.
 * Source: D-470, D-471.
 */
import {
  WorldFile,
  WorldForkRequest,
  WorldListResponse,
  WorldResource,
  WorldSaveRequest,
  WorldState,
} from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { extension } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { pathId } from "./Parameters.ts"
import { created } from "./Statuses.ts"

const params = { name: pathId("saved world, which is its name") }
const view = { tokenPermission: "VIEW", isForConsole: true } as const
const manage = { tokenPermission: "MANAGE", isForConsole: true } as const
/** The refusals of all of them. */
const refused = "409 if several platforms share the server; 501 on a PostgreSQL server."
const replacing =
  "Requests and jobs under way change nothing of the new world: they get a 503. Credentials, keys and sessions of the console stay."

export const SandboxWorldsApi = HttpApiGroup.make("sandboxWorlds")
  .add(
    HttpApiEndpoint.get("sandboxListWorlds", "/sandbox/worlds", {
      success: WorldListResponse,
      error: failures(409, 501),
    })
      .annotate(Access, view)
      .annotateMerge(extension("sandboxListWorlds", "List saved worlds", `By name. ${refused}`)),
    HttpApiEndpoint.post("sandboxSaveWorld", "/sandbox/worlds", {
      payload: WorldSaveRequest,
      success: created(WorldResource),
      error: failures(409, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        extension(
          "sandboxSaveWorld",
          "Save the world",
          `Saves the state of the server with its clock, and without credentials. ${refused}`,
        ),
      ),
    HttpApiEndpoint.post("sandboxForkWorld", "/sandbox/worlds/fork", {
      payload: WorldForkRequest,
      success: created(WorldResource),
      error: failures(409, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        extension(
          "sandboxForkWorld",
          "Fork the world",
          `Saves the world under a new name, with which the server continues. The world that it came from stays as saved. ${refused}`,
        ),
      ),
    HttpApiEndpoint.post("sandboxImportWorld", "/sandbox/worlds/import", {
      payload: WorldFile,
      success: created(WorldResource),
      error: failures(409, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        extension("sandboxImportWorld", "Import a world", `Adds the file of a world to the saved worlds. ${refused}`),
      ),
    HttpApiEndpoint.post("sandboxLoadWorld", "/sandbox/worlds/:name/load", {
      params,
      success: WorldState,
      error: failures(404, 409, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        extension(
          "sandboxLoadWorld",
          "Load a saved world",
          `Replaces the state of the server by a saved world, completely or not at all. ${replacing} ${refused}`,
        ),
      ),
    HttpApiEndpoint.get("sandboxGetWorldFile", "/sandbox/worlds/:name/file", {
      params,
      success: WorldFile,
      error: failures(404, 409, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        extension("sandboxGetWorldFile", "Export a world", `The file of a saved world, for another server. ${refused}`),
      ),
    HttpApiEndpoint.delete("sandboxDeleteWorld", "/sandbox/worlds/:name", {
      params,
      success: HttpApiSchema.NoContent,
      error: failures(404, 409, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(extension("sandboxDeleteWorld", "Delete a saved world", `The running world stays. ${refused}`)),
    HttpApiEndpoint.post("sandboxResetWorld", "/sandbox/world/reset", {
      success: WorldState,
      error: failures(409, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        extension(
          "sandboxResetWorld",
          "Reset the world",
          `Deletes all records but the platform with its configuration, empties its accounts, and sets the clock to real time. ${replacing} Saved worlds stay. ${refused}`,
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({ title: "Sandbox worlds", description: "The state of the sandbox, saved under names." }),
  )
