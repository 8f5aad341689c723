/**
 * The scenarios of a sandbox, on the wire: an extension of the specification.
 * Source: D-472.
 */
import { Schema } from "effect"

export const ScenarioResource = Schema.Struct({
  name: Schema.String.annotate({ examples: ["card-programme"] }),
  title: Schema.String,
  description: Schema.String,
  makes: Schema.Array(Schema.String).annotate({ description: "What it adds to the world." }),
}).annotate({ identifier: "SandboxScenario" })
export type ScenarioResource = typeof ScenarioResource.Type

/** Answer of `GET /sandbox/scenarios`. */
export const ScenarioListResponse = Schema.Struct({ data: Schema.Array(ScenarioResource) }).annotate({
  identifier: "SandboxScenarioListResponse",
})
export type ScenarioListResponse = typeof ScenarioListResponse.Type

/** Answer of `POST /sandbox/scenarios/{scenario}/run`. */
export const ScenarioRun = Schema.Struct({
  name: Schema.String,
  records: Schema.Array(Schema.Struct({ name: Schema.String, id: Schema.String })).annotate({
    description: "The records that it made, by the names that they have in every run of the scenario.",
  }),
}).annotate({ identifier: "SandboxScenarioRun" })
export type ScenarioRun = typeof ScenarioRun.Type
