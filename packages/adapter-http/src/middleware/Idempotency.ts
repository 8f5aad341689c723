/**
 * The idempotency key of a request, as the core takes it.
 * Source: wire contract 0.4 and 11 (1): scoped to the caller, the method and the path.
 */
import type { Keyed } from "@countersign/core"
import type { HttpApiEndpoint } from "effect/http-api"

interface KeyedRequest {
  readonly endpoint: HttpApiEndpoint.Top
  readonly headers: { readonly "idempotency-key"?: string }
  readonly params?: Readonly<Record<string, string>>
  readonly payload?: unknown
}

/** The key with what it is scoped to, or `undefined` when none was sent. The path is the decoded one, however it was spelled. */
export const keyed = ({ endpoint, headers, params, payload }: KeyedRequest): Keyed | undefined => {
  const key = headers["idempotency-key"]
  if (key === undefined) return undefined
  const path = endpoint.path.replace(/:(\w+)/gu, (parameter, name: string) => params?.[name] ?? parameter)
  return { key, method: endpoint.method, path, body: payload }
}
