/**
 * Gives answers the names of the contract, for clients that decode them by its schemas.
 * Source: wire contract areas 2.5 (clients of ours); D-371.
 */
import { Api, endpointsOf, inwardAnswers, inwardErrors } from "@countersign/client/api"
import { serviceNameDefault, spellingsOf } from "@countersign/core/models"

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** Matches the paths of an endpoint. */
const patternOf = (path: string) => new RegExp(`^${path.replace(/:\w+/gu, "[^/]+")}$`, "u")

export const neutralFetch = (
  fetch: Fetch,
  { baseUrl, serviceName }: { readonly baseUrl: string; readonly serviceName: string },
): Fetch => {
  if (serviceName === serviceNameDefault) return fetch
  const spellings = spellingsOf(serviceName)
  const errors = inwardErrors(spellings)
  const endpoints = endpointsOf(Api).map(({ endpoint }) => ({ endpoint, pattern: patternOf(endpoint.path) }))
  return async (input, init) => {
    const { method, url } = input instanceof Request ? input : { method: init?.method ?? "GET", url: String(input) }
    const response = await fetch(input, init)
    if (response.headers.get("content-type") === "text/event-stream") return response
    const text = await response.text()
    const path = decodeURIComponent(new URL(url).pathname).slice(new URL(baseUrl).pathname.length)
    const found = endpoints.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path))
    const respell = response.ok ? found && inwardAnswers(found.endpoint, spellings) : errors
    const { headers, status } = response
    return new Response(
      respell === undefined || text === "" ? text || null : JSON.stringify(respell(JSON.parse(text))),
      { status, headers },
    )
  }
}
