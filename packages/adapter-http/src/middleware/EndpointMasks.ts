/**
 * The masks of an endpoint's parts, from its own schemas. They are made at its first request.
 * Source: D-464.
 */
import { SecretMask } from "@countersign/core"
import { ErrorResource } from "@countersign/core/models"
import { Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

export interface EndpointMasks {
  readonly params: SecretMask.Mask
  readonly query: SecretMask.Mask
  readonly headers: SecretMask.Mask
  readonly body: SecretMask.Mask
  readonly answer: SecretMask.Mask
  readonly error: SecretMask.Mask
  /** The headers that the endpoint reads. */
  readonly headerNames: ReadonlySet<string>
}

const made = new WeakMap<HttpApiEndpoint.Top, EndpointMasks>()

const namesOf = ({ ast }: Schema.Top): ReadonlyArray<string> =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []

/** `neutralOf` returns the name of the contract for a member that the deployment spells with its own name. */
export const endpointMasks = (endpoint: HttpApiEndpoint.Top, neutralOf: (name: string) => string): EndpointMasks => {
  const cached = made.get(endpoint)
  if (cached !== undefined) return cached
  const { headers, params, payload, query, success } = endpoint
  const of = (...schemas: ReadonlyArray<unknown>) => SecretMask.maskOf(schemas.filter(Schema.isSchema), neutralOf)
  const masks: EndpointMasks = {
    params: of(params),
    query: of(query),
    headers: of(headers),
    body: of(...[...payload.values()].flatMap(({ schemas }) => schemas)),
    answer: of(...success),
    error: of(ErrorResource),
    headerNames: new Set(headers === undefined ? [] : namesOf(headers)),
  }
  made.set(endpoint, masks)
  return masks
}
