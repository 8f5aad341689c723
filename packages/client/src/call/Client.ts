/**
 * The interface as functions that return promises, for those who do not write Effect: over the network, or straight into a handler of the
 * same process. Types and calls are made from the contract, so that it cannot differ from it. Source: D-190.
 *
 * It checks nothing itself: the service names every problem of a request at once. Values are those of the wire.
 */
import { Option, Schema } from "effect"
import type { HttpApi, HttpApiEndpoint } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { endpointsOf } from "../api/Endpoints.ts"
import { AnyError, CallRefused } from "./CallRefused.ts"

/** Who calls: a platform by its API token, an agent by its access token; nobody redeems a device code. */
export type Credentials =
  | { readonly clientId: string; readonly clientSecret: string }
  | { readonly accessToken: string }
  | "none"

export interface ClientOptions {
  /** The base address, version segment included. */
  readonly baseUrl: string | URL
  readonly credentials: Credentials
  /** Instead of the global `fetch`: the `handler` of a service in this process, or a way through a proxy. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** What the wire carries of a schema. */
type Wire<S> = S extends { readonly schema: { readonly Encoded: infer A } }
  ? A
  : S extends { readonly Encoded: infer A }
    ? A
    : never

type Nothing = Record<never, never>

/** A part of a request; it may be left out where everything in it may. */
type Part<Name extends string, A> = [A] extends [never]
  ? unknown
  : Nothing extends A
    ? { readonly [K in Name]?: A }
    : { readonly [K in Name]: A }

type RequestOf<E extends HttpApiEndpoint.ConstraintRequest> = Part<"params", Wire<E["~Params"]>> &
  Part<"query", Wire<E["~Query"]>> &
  Part<"headers", Wire<E["~Headers"]>> &
  Part<"payload", Wire<E["~Payload"]>>

type MethodOf<E> = E extends HttpApiEndpoint.ConstraintRequest
  ? Nothing extends RequestOf<E>
    ? (request?: RequestOf<E>) => Promise<Wire<E["~Success"]>>
    : (request: RequestOf<E>) => Promise<Wire<E["~Success"]>>
  : never

type GroupsOf<A> = A extends HttpApi.HttpApi<infer _Id, infer Groups> ? Groups : never
type Named<Groups, Name> = Groups extends { readonly identifier: Name } ? Groups : never

/** Each group of the interface with its endpoints, named as the contract names them. */
export type Client = {
  readonly [Name in GroupsOf<Api>["identifier"]]: Named<GroupsOf<Api>, Name> extends {
    readonly endpoints: infer Endpoints
  }
    ? { readonly [Endpoint in keyof Endpoints]: MethodOf<Endpoints[Endpoint]> }
    : never
}

type Values = Readonly<Record<string, unknown>>

/** A request as a caller gives it, without its type. */
interface Parts {
  readonly params?: Values
  readonly query?: Values
  readonly headers?: Values
  readonly payload?: unknown
}

const authorizationOf = (credentials: Credentials): string | undefined => {
  if (credentials === "none") return undefined
  if ("accessToken" in credentials) return `Bearer ${credentials.accessToken}`
  const bytes = new TextEncoder().encode(`${credentials.clientId}:${credentials.clientSecret}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

/** Name and value of what is given; a list is one pair for each of its values. */
const pairs = (values: Values = {}): Array<[string, string]> =>
  Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined)
      .map((one): [string, string] => [name, String(one)]),
  )

/** An address drops these, so that another path would be called. */
const isDropped = (segment: string): boolean => /^\.{0,2}$/u.test(segment)

/** The path with its parameters; one that is not given stays, and names no record. */
const filled = (path: string, params: Values = {}): string =>
  path.replace(/:(\w+)/gu, (parameter, name: string) => {
    const value = String(params[name] ?? "")
    return encodeURIComponent(isDropped(value) ? parameter : value)
  })

const decodeError = Schema.decodeUnknownOption(AnyError)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const read = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  const body = text === "" ? undefined : parsed(text)
  if (response.ok) return body
  // An answer of another form is not the service's own: something stands between.
  const message = `Something answered with the status ${response.status}.`
  const said = Option.getOrElse(decodeError(body), () => ({
    status: response.status,
    code: "INTERNAL_ERROR",
    message,
  }))
  throw new CallRefused(said, response.headers)
}

/** What a client does is to call; a refusal rejects with `CallRefused`. */
export const makeClient = ({ baseUrl, credentials, fetch = globalThis.fetch }: ClientOptions): Client => {
  const base = String(baseUrl).replace(/\/+$/u, "")
  const authorization = authorizationOf(credentials)
  const callOf = ({ method, path, payload }: HttpApiEndpoint.Top) => {
    const takesBody = payload.size > 0
    return async ({ headers, params, payload: body = {}, query }: Parts = {}): Promise<unknown> => {
      const search = new URLSearchParams(pairs(query))
      const sent = new Headers(pairs(headers))
      if (authorization !== undefined) sent.set("authorization", authorization)
      if (takesBody) sent.set("content-type", "application/json")
      const url = `${base}${filled(path, params)}${search.size === 0 ? "" : `?${search}`}`
      const init = { method, headers: sent, ...(takesBody ? { body: JSON.stringify(body) } : {}) }
      return read(await fetch(new Request(url, init)))
    }
  }
  const groups: Record<string, Record<string, ReturnType<typeof callOf>>> = {}
  for (const { endpoint, group } of endpointsOf(Api)) {
    const calls = groups[group] ?? {}
    calls[endpoint.identifier] = callOf(endpoint)
    groups[group] = calls
  }
  return groups as object as Client
}
