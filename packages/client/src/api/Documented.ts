/** The texts of an endpoint in the OpenAPI document. */
import { OpenApi } from "effect/http-api"

export const documented = (identifier: string, summary: string, description: string) =>
  OpenApi.annotations({ identifier, summary, description })
