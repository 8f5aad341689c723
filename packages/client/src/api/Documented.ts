/**
 * The texts of an endpoint in the OpenAPI document.
 * Source: wire contract areas 2.10 (operation ids) and 4 (the public operations); D-400.
 */
import { OpenApi } from "effect/http-api"

export const documented = (identifier: string, summary: string, description: string) =>
  OpenApi.annotations({ identifier, summary, description })

/** The texts of an endpoint that the public interface does not have. The document marks it with `x-extension`. */
export const extension = (identifier: string, summary: string, description: string) =>
  OpenApi.annotations({ identifier, summary, description, override: { "x-extension": true } })
