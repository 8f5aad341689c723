/**
 * The idempotency key of a request in the form that the core takes.
 * Source: wire contract 0.4 and 11 (1): scoped to the caller, the method and the path.
 */
import type { Keyed } from "@countersign/core"
import type { HttpApiEndpoint } from "effect/http-api"

interface KeyedRequest {
  readonly endpoint: HttpApiEndpoint.Top
  readonly params?: Readonly<Record<string, string | undefined>>
  readonly payload?: unknown
}

/** Returns the key with its scope, or `undefined` if the request has none. The path is decoded, so its spelling does not matter. */
export const keyed = (
  request: KeyedRequest & { readonly headers: { readonly "idempotency-key"?: string | undefined } },
): Keyed | undefined => {
  const key = request.headers["idempotency-key"]
  return key === undefined ? undefined : withKey(request, key)
}

/** Returns the key of an endpoint that requires one. */
export const requiredKey = (
  request: KeyedRequest & { readonly headers: { readonly "idempotency-key": string } },
): Keyed => withKey(request, request.headers["idempotency-key"])

const withKey = ({ endpoint, params, payload }: KeyedRequest, key: string): Keyed => {
  const path = endpoint.path.replace(/:(\w+)/gu, (parameter, name: string) => params?.[name] ?? parameter)
  return { key, method: endpoint.method, path, body: payload }
}
