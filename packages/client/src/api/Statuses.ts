/**
 * The success statuses other than 200 and 204, as marks of response schemas: the document shows them, and handlers are typed by them.
 * Spec: Endpoints; wire contract 0.2.
 */
import type { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** The status of a response schema, for the types of handlers. */
export interface WithStatus<Status extends number> {
  readonly "~status": Status
}

const withStatus =
  <const Status extends number>(status: Status) =>
  <S extends Schema.Top>(schema: S): S["Rebuild"] & WithStatus<Status> =>
    Object.assign(schema.pipe(HttpApiSchema.status(status)), { "~status": status } as const)

export const created = withStatus(201)
export const accepted = withStatus(202)
