/** What the OpenAPI document says of an endpoint. */
import { OpenApi } from "effect/http-api"

export const documented = (identifier: string, summary: string, description: string) =>
  OpenApi.annotations({ identifier, summary, description })
