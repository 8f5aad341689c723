/**
 * The interface as functions that return promises, over the network or directly into a handler of the same process.
 * Source: D-190.
 *
 * Types and calls are derived from the contract. The client validates nothing itself: the service lists every problem of a request.
 * Values are those of the wire.
 */
import { type Respell, serviceNameDefault, spellingsOf } from "@countersign/core/models"
import { Option, Schema } from "effect"
import type { HttpApi, HttpApiEndpoint } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { inwardAnswers, inwardErrors } from "../api/EndpointSpelling.ts"
import { endpointsOf } from "../api/Endpoints.ts"
import { EventStream } from "../api/EventStream.ts"
import { ApiError, ErrorBody } from "./ApiError.ts"

/** Credentials of the caller: a platform's API token, an agent's access token, or none to redeem a device code. */
export type Credentials =
  | { readonly clientId: string; readonly clientSecret: string }
  | { readonly accessToken: string }
  | "none"

/** The service that a client calls, and with which credentials. */
export interface ClientOptions {
  /** Base address, with the version segment. */
  readonly baseUrl: string | URL
  readonly credentials: Credentials
  /** Replaces the global `fetch`: the `handler` of a service in this process, or a proxy. */
  readonly fetch?: (request: Request) => Promise<Response>
  /** The service's name in the deployment, `Service` by default. Answers have the names of the contract under every name. */
  readonly serviceName?: string
}

/** The encoded form of a schema. */
type Wire<S> = S extends { readonly schema: { readonly Encoded: infer A } }
  ? A
  : S extends { readonly Encoded: infer A }
    ? A
    : never

type Nothing = Record<never, never>

/** A part of a request. It is optional if all its members are. */
type Part<Name extends string, A> = [A] extends [never]
  ? unknown
  : Nothing extends A
    ? { readonly [K in Name]?: A }
    : { readonly [K in Name]: A }

type RequestOf<E extends HttpApiEndpoint.ConstraintRequest> = Part<"params", Wire<E["~Params"]>> &
  Part<"query", Wire<E["~Query"]>> &
  Part<"headers", Wire<E["~Headers"]>> &
  Part<"payload", Wire<E["~Payload"]>>

/** The answer as it is sent; a stream of server-sent events as it arrives. */
type AnswerOf<E extends HttpApiEndpoint.ConstraintRequest> = E["~Success"] extends {
  readonly schema: typeof EventStream
}
  ? ReadableStream<Uint8Array>
  : Wire<E["~Success"]>

type MethodOf<E> = E extends HttpApiEndpoint.ConstraintRequest
  ? Nothing extends RequestOf<E>
    ? (request?: RequestOf<E>) => Promise<AnswerOf<E>>
    : (request: RequestOf<E>) => Promise<AnswerOf<E>>
  : never

type GroupsOf<A> = A extends HttpApi.HttpApi<infer _Id, infer Groups> ? Groups : never
type Named<Groups, Name> = Groups extends { readonly identifier: Name } ? Groups : never

/** Each group of the interface with its endpoints, under the contract's names. */
export type Client = {
  readonly [Name in GroupsOf<Api>["identifier"]]: Named<GroupsOf<Api>, Name> extends {
    readonly endpoints: infer Endpoints
  }
    ? { readonly [Endpoint in keyof Endpoints]: MethodOf<Endpoints[Endpoint]> }
    : never
}

type Values = Readonly<Record<string, unknown>>

/** An untyped request. */
interface RequestParts {
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

/** Returns name and value of each defined member; a list gives one pair for each value. */
const pairs = (values: Values = {}): Array<[string, string]> =>
  Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each) => each !== undefined)
      .map((each): [string, string] => [name, String(each)]),
  )

/** URL parsing removes these segments, which would call another path. */
const isDropped = (segment: string): boolean => /^\.{0,2}$/u.test(segment)

/** Fills a path's parameters. A missing one stays as it is, and names no record. */
const fillPath = (path: string, params: Values = {}): string =>
  path.replace(/:(\w+)/gu, (parameter, name: string) => {
    const value = String(params[name] ?? "")
    return encodeURIComponent(isDropped(value) ? parameter : value)
  })

/** The renaming of what is received. */
interface Neutral {
  readonly answers: Respell
  readonly errors: Respell
}

/** Returns the parts of a multipart body; a file is a `Blob`. */
const formDataOf = (body: unknown): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(body ?? {})) {
    if (value instanceof Blob) form.append(name, value)
    else if (value !== undefined) form.append(name, String(value))
  }
  return form
}

const decodeError = Schema.decodeUnknownOption(ErrorBody)

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isEventStream = ({ headers, ok }: Response): boolean =>
  ok && headers.get("content-type") === EventStream.contentType

const read = async (response: Response, { answers, errors }: Neutral): Promise<unknown> => {
  if (isEventStream(response)) return response.body
  const text = await response.text()
  const received = text === "" ? undefined : parseJson(text)
  if (response.ok) return answers(received)
  const body = errors(received)
  // Another form of error comes from a proxy between client and service.
  const message = `Something answered with the status ${response.status}.`
  const error = Option.getOrElse(decodeError(body), () => ({
    status: response.status,
    code: "INTERNAL_ERROR",
    message,
  }))
  throw new ApiError(error, response.headers)
}

/** Makes a client. A call that is not answered with a success rejects with `ApiError`. */
export const makeClient = ({
  baseUrl,
  credentials,
  fetch = globalThis.fetch,
  serviceName = serviceNameDefault,
}: ClientOptions): Client => {
  const spellings = spellingsOf(serviceName)
  const errors = inwardErrors(spellings)
  const base = String(baseUrl).replace(/\/+$/u, "")
  const authorization = authorizationOf(credentials)
  const callOf = (endpoint: HttpApiEndpoint.Top) => {
    const { method, path, payload } = endpoint
    const takesBody = payload.size > 0
    const neutral = { answers: inwardAnswers(endpoint, spellings), errors }
    const isForm = payload.has("multipart/form-data")
    return async ({ headers, params, payload: body = {}, query }: RequestParts = {}): Promise<unknown> => {
      const search = new URLSearchParams(pairs(query))
      const requestHeaders = new Headers(pairs(headers))
      if (authorization !== undefined) requestHeaders.set("authorization", authorization)
      // Encoded at once: a service in this process may refuse a form before it has read it to its end.
      const form = isForm ? await new Response(formDataOf(body)).blob() : undefined
      if (takesBody) requestHeaders.set("content-type", form?.type ?? "application/json")
      const url = `${base}${fillPath(path, params)}${search.size === 0 ? "" : `?${search}`}`
      const init = { method, headers: requestHeaders, ...(takesBody ? { body: form ?? JSON.stringify(body) } : {}) }
      return read(await fetch(new Request(url, init)), neutral)
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
