/**
 * A service of your own in one line: `await using pay = await harness()`. In memory, with its own clock, its own webhook
 * inbox, and the same identifiers, secrets and keys on each run.
 */
import { readFile, writeFile } from "node:fs/promises"
import { guards, Handlers, makeWebHandler, startNodeServer } from "@countersign/adapter-http"
import { type Client, type Credentials, makeClient } from "@countersign/client"
import { Api } from "@countersign/client/api"
import { type ErrorCode, EventTypes } from "@countersign/core/models"
import { type Duration, Effect, Layer } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { type Device, type DeviceOptions, device } from "./Device.ts"
import * as Faults from "./Faults.ts"
import { forge } from "./IdentifierForge.ts"
import * as Run from "./report/Run.ts"
import { recorder } from "./tape/Recorder.ts"
import { at } from "./tape/References.ts"
import type { ReplayTarget } from "./tape/Replay.ts"
import type { Json, Tape } from "./tape/Tape.ts"
import type { Inbox, Received } from "./WebhookInbox.ts"
import { credentials, type ForkOptions, type World, type WorldOptions, type WorldSnapshot, world } from "./World.ts"

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

type EffectClient = HttpApiClient.ForApi<typeof Api>

/** The world's inbox, and a way to wait for what is to come. */
export interface Webhooks extends Inbox {
  /**
   * The first event of a type (or that fits), also one that came before. Works what is due first and, where `within` is given, moves the
   * clock on by it; rejects, naming what came instead, when there is none.
   */
  readonly waitFor: (wanted: string | ((event: Received) => boolean), within?: Duration.Input) => Promise<Received>
}

/** The service on a socket, for what cannot call a function. */
export interface Serving extends AsyncDisposable {
  /** With the version at its end. */
  readonly baseUrl: string
}

export interface HarnessOptions extends Omit<WorldOptions, "from"> {
  /** A file that `save` wrote: the world goes on from there. */
  readonly snapshot?: string
  readonly from?: WorldOptions["from"]
  /** Whether to keep what is sent and answered, for `tape`; `false` for runs of very many requests. */
  readonly tape?: boolean
}

export interface Harness extends World {
  readonly baseUrl: string
  /** What the platform's requests are known by. */
  readonly credentials: typeof credentials
  /** A request to the service; a path is relative to the base address. Adds no credentials. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Sends JSON and reads JSON, as the platform unless said otherwise. */
  readonly send: (method: string, path: string, options?: Send) => Promise<Reply>
  /** The typed client, as promises; the platform's. `clientOf` is another sender's. */
  readonly client: Client
  readonly clientOf: (as: Sender) => Client
  /** Calls the typed client of Effect, as the platform unless said otherwise; a refusal rejects. */
  readonly call: <A, E>(use: (client: EffectClient) => Effect.Effect<A, E>, as?: Sender) => Promise<A>
  readonly webhooks: Webhooks
  /** A person with an embedded wallet: registers and signs in by each credential, holds the session, signs. */
  readonly device: (options?: DeviceOptions) => Promise<Device>
  /** Identifiers and numbers with a wanted suffix. */
  readonly forge: typeof forge
  /** Answers the next request (of a route, `POST /transfer-in`, `GET /customers/*`) with an error, and does nothing else. */
  readonly failNext: (code: ErrorCode, route?: string) => void
  readonly faults: Pick<Faults.Faults, "add" | "list">
  /** Listens on a free port of this machine until it is disposed of. */
  readonly serve: () => Promise<Serving>
  /** Everything that was sent and answered so far. */
  readonly tape: () => Tape
  /** Where a tape can be played: this service. */
  readonly replayTarget: ReplayTarget
  readonly fork: (options?: ForkOptions) => Promise<Harness>
  /** Writes the world to a file, for `harness({ snapshot })`. */
  readonly save: (file: string) => Promise<void>
}

const authorization = (as: Sender): { readonly [name: string]: string } => {
  if (as === "nobody") return {}
  if (as !== "platform") return { authorization: `Bearer ${as.token}` }
  return { authorization: `Basic ${btoa(`${credentials.clientId}:${credentials.clientSecret}`)}` }
}

const credentialsOf = (as: Sender): Credentials => {
  if (as === "nobody") return "none"
  return as === "platform" ? credentials : { accessToken: as.token }
}

const webhooksOf = ({ clock, inbox, settle }: World): Webhooks => ({
  ...inbox,
  waitFor: async (wanted, within) => {
    if (typeof wanted === "string" && !EventTypes.has(wanted)) {
      throw new Error(`There is no event ${wanted}: ${EventTypes.keys.join(", ")}`)
    }
    const fits = typeof wanted === "string" ? ({ type }: Received) => type === wanted : wanted
    await settle()
    if (within !== undefined && !inbox.received.some(fits)) await clock.advance(within)
    const found = inbox.received.find(fits)
    if (found !== undefined) return found
    const came = inbox.received.map(({ type }) => type).join(", ")
    throw new Error(`${typeof wanted === "string" ? wanted : "such an event"} did not come; came: ${came || "nothing"}`)
  },
})

/** JSON where it is JSON, and nothing where it is another text. */
const parsed = (text: string): Json | undefined => {
  try {
    return text === "" ? undefined : (JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}

/** An error that went out is counted for the report of the run. */
const noted = async (response: Response): Promise<Response> => {
  if (response.status < 400) return response
  const code = at(parsed(await response.clone().text()), "code")
  if (typeof code === "string") Run.countErrorCode(code)
  return response
}

const worldOf = async ({ from, snapshot, tape: _, ...options }: HarnessOptions): Promise<World> => {
  const saved = snapshot === undefined ? undefined : (JSON.parse(await readFile(snapshot, "utf8")) as WorldSnapshot)
  const beginning = saved ?? from
  return world(beginning === undefined ? options : { ...options, from: beginning })
}

export const harness = async (options: HarnessOptions = {}): Promise<Harness> => {
  Run.startCounting()
  const within = await worldOf(options)
  const application = Handlers.layer.pipe(Layer.provideMerge(guards), Layer.provideMerge(within.services))
  /** Made by the first request: it is half of what a world costs, and one that is only forked needs none. */
  let web: ReturnType<typeof makeWebHandler> | undefined
  const serveWeb = (request: Request): Promise<Response> => {
    web ??= makeWebHandler({ application, memoMap: within.memoMap, basePath })
    return web.handler(request)
  }
  const baseUrl = `${origin}${basePath}`
  const faults = Faults.make()
  const record = options.tape === false ? undefined : recorder()

  /** Every request passes here, whoever sends it: the faults and the tape see it. */
  const handle = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    const path = `${pathname.startsWith(basePath) ? pathname.slice(basePath.length) : pathname}${search}`
    if (record === undefined) return noted(await faults.through(request, path, serveWeb))
    const { headers, method } = request
    const body = parsed(await request.clone().text())
    const response = await noted(await faults.through(request, path, serveWeb))
    const { status } = response
    record.call({ method, path, headers, body }, { status, body: parsed(await response.clone().text()) })
    return response
  }

  const fetch: Harness["fetch"] = (input, init) =>
    handle(new Request(typeof input === "string" && input.startsWith("/") ? `${baseUrl}${input}` : input, init))

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
      Effect.provideService(FetchHttpClient.Fetch, fetch),
      Effect.runPromise,
    )

  let devices = 0
  const newDevice: Harness["device"] = (more = {}) => {
    const deck = { baseUrl, fetch, headers: authorization("platform"), now: within.clock.now }
    return device(deck, { seed: `${options.seed ?? 1} device ${++devices}`, ...more })
  }

  const clientOf = (as: Sender): Client => makeClient({ baseUrl, fetch, credentials: credentialsOf(as) })

  const advance: World["clock"]["advance"] = async (duration) => {
    const before = await within.clock.now()
    await within.clock.advance(duration)
    record?.advance((await within.clock.now()) - before)
  }

  return {
    ...within,
    baseUrl,
    credentials,
    clock: { ...within.clock, advance },
    fetch,
    send,
    call,
    client: clientOf("platform"),
    clientOf,
    webhooks: webhooksOf({ ...within, clock: { ...within.clock, advance } }),
    device: newDevice,
    forge,
    failNext: (kind, route) => faults.add(route === undefined ? { kind } : { kind, route }),
    faults,
    serve: async () => {
      const server = await startNodeServer({ handler: handle, host: "127.0.0.1", port: 0 })
      return { baseUrl: `http://127.0.0.1:${server.port}${basePath}`, [Symbol.asyncDispose]: server.close }
    },
    tape: () => {
      if (record === undefined) throw new Error("this world keeps no tape")
      return record.tape()
    },
    replayTarget: {
      send: ({ method, path, ...rest }) => send(method, path, rest),
      advance: (millis) => advance(millis),
    },
    fork: async (more = {}) =>
      harness({ ...options, ...more, from: await within.forkState(), seed: more.seed ?? within.forkSeed() }),
    save: async (file) => writeFile(file, JSON.stringify(await within.snapshot())),
    [Symbol.asyncDispose]: async () => {
      await web?.dispose()
      await within[Symbol.asyncDispose]()
      const folder = process.env["COUNTERSIGN_REPORT"]
      if (folder !== undefined) Run.saveCounts(folder)
    },
  }
}
