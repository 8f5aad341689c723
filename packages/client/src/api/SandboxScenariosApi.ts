/**
 * Scenarios of the sandbox: additions of this service.
 * Source: D-472.
 */
import { ScenarioListResponse, ScenarioRun } from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { extension } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { pathId } from "./Parameters.ts"
import { created } from "./Statuses.ts"

/** A class, so that the type of the whole interface refers to it by name. */
export class SandboxScenariosApi extends HttpApiGroup.make("sandboxScenarios")
  .add(
    HttpApiEndpoint.get("sandboxListScenarios", "/sandbox/scenarios", {
      success: ScenarioListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        extension(
          "sandboxListScenarios",
          "List scenarios",
          "Each fills the world with the records of one area of the product.",
        ),
      ),
    HttpApiEndpoint.post("sandboxRunScenario", "/sandbox/scenarios/:scenario/run", {
      params: { scenario: pathId("scenario, which is its name") },
      success: created(ScenarioRun),
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE", isForConsole: true })
      .annotateMerge(
        extension(
          "sandboxRunScenario",
          "Run a scenario",
          "Sends the scenario's requests as the caller, who needs all permissions, and answers what they made. What is there stays; a second run makes new records. If a step fails, 409 says at which request, and `made` has the ids of what stays. 409, too, while another one runs.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({ title: "Sandbox scenarios", description: "Records to begin with, for each area." }),
  ) {}
