/**
 * A service of your own in one line: `await using pay = await harness()`. In memory, with its own clock, its own webhook
 * inbox, and the same identifiers on each run.
 */
import { Api, guards, Handlers, makeWebHandler } from "@countersign/adapter-http"
import { Effect, Layer } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { credentials, type World, type WorldOptions, world } from "./World.ts"

const origin = "http://countersign.test"
const basePath = "/2025-10-13"

/** Who sends a request: the platform (the default), an agent by its token, or nobody. */
export type Sender = "platform" | "nobody" | { readonly token: string }

export interface Send {
  readonly as?: Sender
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
}

/** An answer, read. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

type Client = HttpApiClient.ForApi<typeof Api>

export interface Harness extends World {
  readonly baseUrl: string
  /** A request to the service; a path is relative to the base address. Adds no credentials. */
  readonly fetch: (input: string | Request, init?: RequestInit) => Promise<Response>
  /** Sends JSON and reads JSON, as the platform unless said otherwise. */
  readonly send: (method: string, path: string, options?: Send) => Promise<Reply>
  /** Calls the typed client, as the platform unless said otherwise; a refusal rejects. */
  readonly call: <A, E>(use: (client: Client) => Effect.Effect<A, E>, as?: Sender) => Promise<A>
}

const authorization = (as: Sender): { readonly [name: string]: string } => {
  if (as === "nobody") return {}
  if (as !== "platform") return { authorization: `Bearer ${as.token}` }
  return { authorization: `Basic ${btoa(`${credentials.clientId}:${credentials.clientSecret}`)}` }
}

export const harness = async (options: WorldOptions = {}): Promise<Harness> => {
  const within = await world(options)
  const application = Handlers.layer.pipe(Layer.provideMerge(guards), Layer.provideMerge(within.services))
  const web = makeWebHandler({ application, memoMap: within.memoMap, basePath })
  const baseUrl = `${origin}${basePath}`

  const fetch: Harness["fetch"] = (input, init) =>
    web.handler(new Request(typeof input === "string" && input.startsWith("/") ? `${baseUrl}${input}` : input, init))

  const send: Harness["send"] = async (method, path, { as = "platform", body, headers = {} } = {}) => {
    const content = body === undefined ? {} : { "content-type": "application/json" }
    const response = await fetch(path, {
      method,
      headers: { ...authorization(as), ...content, ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) }
  }

  const call: Harness["call"] = (use, as = "platform") =>
    Effect.gen(function* () {
      const http = yield* HttpClient.HttpClient
      const client = yield* HttpApiClient.makeWith(Api, {
        baseUrl,
        httpClient: HttpClient.mapRequest(http, HttpClientRequest.setHeaders(authorization(as))),
      })
      return yield* use(client)
    }).pipe(
      Effect.provide(FetchHttpClient.layer),
      Effect.provideService(FetchHttpClient.Fetch, (input, init) => web.handler(new Request(input, init))),
      Effect.runPromise,
    )

  return {
    ...within,
    baseUrl,
    fetch,
    send,
    call,
    [Symbol.asyncDispose]: async () => {
      await web.dispose()
      await within[Symbol.asyncDispose]()
    },
  }
}
