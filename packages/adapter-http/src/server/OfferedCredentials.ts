/**
 * The credentials that a sandbox on the reader's own machine offers to the page of its interface, so that a first request needs no typing.
 * Source: D-441.
 */
import { Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { isLoopback } from "../middleware/PublicUrl.ts"

export interface OfferedCredentials {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
}

const proxyHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "via"]

/** Whether the request reached a loopback address by its name, without a proxy, and from no page of another site. */
const isLocal = ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
  const site = headers["sec-fetch-site"]
  const host = URL.parse(`http://${headers["host"] ?? ""}`)?.hostname ?? ""
  return (
    isLoopback(host) &&
    (site === undefined || site === "same-origin" || site === "none") &&
    proxyHeaders.every((name) => headers[name] === undefined)
  )
}

const headers = { "cache-control": "no-store" }

/** Answers 204 if there is nothing to offer, or not to this request. */
export const answer = (offered: OfferedCredentials | undefined) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    if (offered === undefined || !isLocal(request)) return HttpServerResponse.empty({ status: 204, headers })
    const { clientId, clientSecret } = offered
    return HttpServerResponse.jsonUnsafe({ clientId, clientSecret: Redacted.value(clientSecret) }, { headers })
  })
