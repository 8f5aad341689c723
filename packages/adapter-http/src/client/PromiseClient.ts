/**
 * The whole interface as promises, one method for each operation, for whoever does not write Effect. Runs in browsers and servers.
 * Source: architecture, "The rooms" (client); D-230.
 */
import { ErrorResource } from "@countersign/core/models"
import { Cause, Effect, Exit, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { type HttpApi, HttpApiClient, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "../api/Api.ts"

type GroupsOf<A> = A extends HttpApi.HttpApi<infer _Id, infer Groups> ? Groups : never

type RequestOf<Endpoint extends HttpApiEndpoint.ConstraintRequest> = HttpApiEndpoint.ClientRequest<
  Endpoint["~Params"],
  Endpoint["~Query"],
  Endpoint["~Payload"],
  Endpoint["~Headers"],
  "decoded-only",
  never
>

type MethodsOf<Endpoints> = {
  readonly [Name in keyof Endpoints]: Endpoints[Name] extends HttpApiEndpoint.ConstraintRequest
    ? (request: RequestOf<Endpoints[Name]>) => Promise<HttpApiClient.SuccessType<Endpoints[Name]["~Success"]>>
    : never
}

/** `client.<group>.<operation>({ params, query, headers, payload })`; a refusal rejects with `ApiRefusal`. */
export type PromiseClient = {
  readonly [Group in GroupsOf<Api> as HttpApiGroup.Identifier<Group>]: MethodsOf<Group["endpoints"]>
}

/** What the service answered instead: the body of its error. */
export class ApiRefusal extends Error {
  override readonly name = "ApiRefusal"
  readonly status: number
  /** For a program. */
  readonly code: ErrorResource["code"]
  /** 401 only: the check that failed. */
  readonly reason: string | undefined
  readonly details: ErrorResource["details"]

  constructor({ code, details, message, reason, status }: ErrorResource) {
    super(message)
    this.status = status
    this.code = code
    this.reason = reason
    this.details = details
  }
}

export interface PromiseClientOptions {
  /** With the version at its end: `http://localhost:8787/2025-10-13`. */
  readonly baseUrl: string
  /** The header by which requests are known, asked before each of them. */
  readonly authorization?: () => string
  /** In place of the global one. */
  readonly fetch?: typeof globalThis.fetch
}

/** Basic credentials, as the header has them. */
export const basic = (clientId: string, clientSecret: string): string => `Basic ${btoa(`${clientId}:${clientSecret}`)}`

const isRefusal = Schema.is(ErrorResource)

/** The body of an answer whose status the operation does not list: what stands before the service may refuse too. */
const unlisted = (error: unknown): Promise<unknown> =>
  HttpClientError.isHttpClientError(error) && "response" in error.reason
    ? Effect.runPromise(Effect.catchCause(error.reason.response.json, () => Effect.undefined))
    : Promise.resolve(undefined)

const settled = async <A, E>(exit: Exit.Exit<A, E>): Promise<A> => {
  if (Exit.isSuccess(exit)) return exit.value
  const error = Cause.squash(exit.cause)
  const refusal = isRefusal(error) ? error : await unlisted(error)
  throw isRefusal(refusal) ? new ApiRefusal(refusal) : error
}

/** Any operation: what it takes was checked where it was called. */
type Call = (request: never) => Effect.Effect<unknown, unknown>

/** A client of the service at `baseUrl`. */
export const promiseClient = ({ authorization, baseUrl, fetch }: PromiseClientOptions): PromiseClient => {
  const made = Effect.gen(function* () {
    const http = yield* HttpClient.HttpClient
    return yield* HttpApiClient.makeWith(Api, {
      baseUrl,
      httpClient:
        authorization === undefined
          ? http
          : HttpClient.mapRequest(http, (request) =>
              HttpClientRequest.setHeader(request, "authorization", authorization()),
            ),
    })
  }).pipe(
    Effect.provide(FetchHttpClient.layer),
    Effect.provideService(FetchHttpClient.Fetch, fetch ?? globalThis.fetch),
    Effect.runSync,
  )
  const groups: ReadonlyArray<readonly [string, { readonly [operation: string]: Call }]> = Object.entries(made)
  const methods = groups.map(([group, calls]) => [
    group,
    Object.fromEntries(
      Object.entries(calls).map(([operation, call]) => [
        operation,
        async (request: unknown = {}) => settled(await Effect.runPromiseExit(call(request as never))),
      ]),
    ),
  ])
  return Object.fromEntries(methods)
}
