/**
 * A complete service in one line: `await using pay = await harness()`. It runs in memory, with its own clock and webhook
 * inbox, and has the same identifiers, secrets and keys on each run.
 */
import { readFile, writeFile } from "node:fs/promises"
import { guards, Handlers, makeWebHandler, startNodeServer } from "@countersign/adapter-http"
import { type Client, type Credentials, makeClient } from "@countersign/client"
import { Api } from "@countersign/client/api"
import {
  formEntry,
  parseJson,
  References,
  type ReplayTarget,
  contentOf as recordedContentOf,
  type Tape,
} from "@countersign/client/tape"
import { type ErrorCode, serviceNameDefault } from "@countersign/core/models"
import { Effect, Layer } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { type Device, type DeviceOptions, device } from "./Device.ts"
import { requireErrorTexts } from "./ErrorTexts.ts"
import * as Faults from "./Faults.ts"
import { forge } from "./IdentifierForge.ts"
import { neutralFetch } from "./NeutralFetch.ts"
import { type Recorder, recorder } from "./Recorder.ts"
import * as Run from "./report/Run.ts"
import { type Webhooks, webhooksOf } from "./WaitingInbox.ts"
import { credentials, type ForkOptions, type World, type WorldOptions, type WorldSnapshot, world } from "./World.ts"

const address = "http://countersign.test"
const basePath = "/2025-10-13"

/** The credentials of a request: those of the platform (the default), an agent's token, or none (`nobody`). */
export type Sender = "platform" | "nobody" | { readonly token: string }

/** The parts of a request that `send` makes, beside its method and path. */
export interface Send {
  /** The credentials; those of the platform by default. */
  readonly as?: Sender
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
  /** The parts of a body in `multipart/form-data`, instead of `body`; pairs if a name has several parts. */
  readonly form?:
    | { readonly [name: string]: string | Blob }
    | ReadonlyArray<readonly [name: string, part: string | Blob]>
}

/** A response with its JSON body parsed. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

type EffectClient = HttpApiClient.ForApi<typeof Api>

/** The service on a socket, for clients in other processes. */
export interface Serving extends AsyncDisposable {
  /** Base URL; it ends in the version of the interface. */
  readonly baseUrl: string
}

export interface HarnessOptions extends Omit<WorldOptions, "from"> {
  /** Path of a file that `save` wrote; the world continues from its state. */
  readonly snapshot?: string
  readonly from?: WorldOptions["from"]
  /** Whether to record requests and responses for `tape`. Set it to `false` for runs of many thousand requests. */
  readonly tape?: boolean
}

export interface Harness extends World {
  readonly baseUrl: string
  /** The platform's client id and secret. */
  readonly credentials: typeof credentials
  /** Sends a request without adding credentials. A path is relative to the base URL. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Sends a JSON request and parses the JSON response. The sender is the platform unless `as` names another. */
  readonly send: (method: string, path: string, options?: Send) => Promise<Reply>
  /** The typed client with promises and the platform's credentials. `clientOf` returns that of another sender. */
  readonly client: Client
  readonly clientOf: (as: Sender) => Client
  /** Calls the typed Effect client, as the platform unless `as` names another sender. An error response rejects. */
  readonly call: <A, E>(use: (client: EffectClient) => Effect.Effect<A, E>, as?: Sender) => Promise<A>
  readonly webhooks: Webhooks
  /** Creates the device of a person with an embedded wallet, which registers credentials, signs in and signs requests. */
  readonly device: (options?: DeviceOptions) => Promise<Device>
  /** Makes valid account identifiers that have a magic suffix. */
  readonly forge: typeof forge
  /**
   * Responds to the next request with an error and does not process it. `route` limits this to one operation, such as
   * `POST /transfer-in` or `GET /customers/*`.
   */
  readonly failNext: (code: ErrorCode, route?: string) => void
  readonly faults: Pick<Faults.Faults, "add" | "list">
  /** Listens on a free port of the loopback interface until the result is disposed. */
  readonly serve: () => Promise<Serving>
  /**
   * Returns all requests and responses so far: those of a fork begin with its origin's, those of a scenario and of `agentHarness` with
   * their set-up.
   */
  readonly tape: () => Tape
  /** This service as the target of `replay`. */
  readonly replayTarget: ReplayTarget
  readonly fork: (options?: ForkOptions) => Promise<Harness>
  /** Starts another process of the same deployment, as `join` of a world does. It records no tape. */
  readonly join: (options?: ForkOptions) => Promise<Harness>
  /** Writes the state and its tape, which has the secrets of the test, to a file, for `harness({ snapshot })`. */
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

/** Whether the body is a stream without an end. */
const isEventStream = ({ headers }: Response): boolean => headers.get("content-type") === "text/event-stream"

/** Counts the code of an error response for the report of the run, and rejects one without a text. */
const countError = async (response: Response): Promise<Response> => {
  if (response.status < 400) return response
  const body = parseJson(await response.clone().text())
  requireErrorTexts(body)
  const code = References.at(body, "code")
  if (typeof code === "string") Run.countErrorCode(code)
  return response
}

const read = async (file: string) => JSON.parse(await readFile(file, "utf8")) as WorldSnapshot

/** The tape of a run that continues from a state. Its origin is the tape of that state, if it was recorded. */
const recorderFrom = (from: WorldOptions["from"], origin: Tape | undefined): Recorder => {
  const known = origin ?? (from !== undefined && "tape" in from ? from.tape : undefined)
  const record = recorder(credentials, known)
  if (from !== undefined && known === undefined) record.gap("the run continues from a state without a tape")
  return record
}

const isPairs = (form: NonNullable<Send["form"]>): form is ReadonlyArray<readonly [string, string | Blob]> =>
  Array.isArray(form)

/** The body of a request as it is sent. A form brings its own content type. */
const contentOf = ({ body, form }: Pick<Send, "body" | "form">) => {
  if (form === undefined) {
    if (body === undefined) return {}
    return { body: typeof body === "string" ? body : JSON.stringify(body), type: "application/json" }
  }
  const parts = new FormData()
  const pairs: ReadonlyArray<readonly [string, string | Blob]> = isPairs(form) ? form : Object.entries(form)
  for (const [name, value] of pairs) parts.append(name, value)
  return { body: parts }
}

/** Returns a harness, and the world within it, whose `run` the tape does not notice. `origin`: the tape of the state that it continues. */
export const harnessWithin = async (
  { from, snapshot, tape, ...options }: HarnessOptions,
  origin?: Tape,
): Promise<readonly [Harness, World]> => {
  Run.startCounting()
  const beginning = snapshot === undefined ? from : await read(snapshot)
  const within = await world(beginning === undefined ? options : { ...options, from: beginning })
  const application = Handlers.layer.pipe(Layer.provideMerge(guards), Layer.provideMerge(within.services))
  /** Created by the first request: it is half the cost of a harness, and a harness that is only forked needs none. */
  let web: ReturnType<typeof makeWebHandler> | undefined
  const serveWeb = (request: Request): Promise<Response> => {
    web ??= makeWebHandler({ application, memoMap: within.memoMap, basePath, publicUrl: address })
    return web.handler(request)
  }
  const baseUrl = `${address}${basePath}`
  const { serviceName = serviceNameDefault } = options
  const faults = Faults.make()
  const record = tape === false ? undefined : recorderFrom(beginning, origin)

  const pathOf = (request: Request) => {
    const { pathname, search } = new URL(request.url)
    const isOutside = !pathname.startsWith(`${basePath}/`)
    return { isOutside, path: `${isOutside ? pathname : pathname.slice(basePath.length)}${search}` }
  }

  /** Records what reached the service: a request that a fault replaced had no effect, one whose response was lost had. */
  const recordingWeb = async (request: Request): Promise<Response> => {
    if (record === undefined) return serveWeb(request)
    const { headers, method } = request
    const content = await recordedContentOf(request.clone())
    const response = await serveWeb(request)
    // A stream changes nothing, and has no end at which it could be recorded.
    if (isEventStream(response)) return response
    const body = parseJson(await response.clone().text())
    record.call({ method, ...pathOf(request), headers, content }, { status: response.status, body })
    return response
  }

  /** Handles every request of every client, so that faults and the tape apply to all of them. */
  const handle = async (request: Request): Promise<Response> =>
    countError(await faults.intercept(request, pathOf(request).path, recordingWeb))

  const fetch: Harness["fetch"] = (input, init) =>
    handle(new Request(typeof input === "string" && input.startsWith("/") ? `${baseUrl}${input}` : input, init))

  const send: Harness["send"] = async (method, path, { as = "platform", headers = {}, ...sent } = {}) => {
    const { body, type } = contentOf(sent)
    const response = await fetch(path, {
      method,
      headers: { ...authorization(as), ...(type === undefined ? {} : { "content-type": type }), ...headers },
      ...(body === undefined ? {} : { body }),
    })
    // A stream has no end: it is closed, and its text is empty.
    if (isEventStream(response)) await response.body?.cancel()
    const text = isEventStream(response) ? '""' : await response.text()
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
      Effect.provideService(FetchHttpClient.Fetch, neutralFetch(fetch, { baseUrl, serviceName })),
      Effect.runPromise,
    )

  let devices = 0
  const newDevice: Harness["device"] = (more = {}) => {
    const connection = { baseUrl, fetch, headers: authorization("platform"), serviceName, now: within.clock.now }
    return device(connection, { seed: `${options.seed ?? 1} device ${++devices}`, ...more })
  }

  const clientOf = (as: Sender): Client => makeClient({ baseUrl, fetch, credentials: credentialsOf(as), serviceName })

  const advance: World["clock"]["advance"] = async (duration) => {
    const before = await within.clock.now()
    await within.clock.advance(duration)
    record?.advance((await within.clock.now()) - before)
  }

  const settle: World["settle"] = async () => {
    const jobs = await within.settle()
    // Nothing was due, so there is nothing to repeat.
    if (jobs > 0) record?.advance(0)
    return jobs
  }
  const tapeSoFar = record === undefined ? undefined : record.tape
  const pay: Harness = {
    ...within,
    run: (effect, caller) => {
      record?.gap("the test ran an effect outside the interface")
      return within.run(effect, caller)
    },
    settle,
    baseUrl,
    credentials,
    clock: { ...within.clock, advance },
    fetch,
    send,
    call,
    client: clientOf("platform"),
    clientOf,
    webhooks: webhooksOf({ ...within, settle, clock: { ...within.clock, advance } }),
    device: newDevice,
    forge,
    failNext: (kind, route) => faults.add(route === undefined ? { kind } : { kind, route }),
    faults,
    serve: async () => {
      const server = await startNodeServer({ handler: handle, host: "127.0.0.1", port: 0 })
      return { baseUrl: `http://127.0.0.1:${server.port}${basePath}`, [Symbol.asyncDispose]: server.close }
    },
    tape: () => {
      if (tapeSoFar === undefined) throw new Error("this harness records no tape: omit `tape: false`")
      return tapeSoFar()
    },
    replayTarget: {
      send: ({ form, isOutside, method, path, ...rest }) =>
        send(method, isOutside ? `${address}${path}` : path, {
          ...rest,
          ...(form === undefined ? {} : { form: form.map(formEntry) }),
        }),
      advance: (millis) => advance(millis),
    },
    fork: async (more = {}) => {
      const forked = { ...options, ...more, from: await within.forkState(), seed: more.seed ?? within.forkSeed() }
      const [fork] = await harnessWithin(tape === undefined ? forked : { ...forked, tape }, tapeSoFar?.())
      return fork
    },
    join: async (more = {}) => {
      record?.gap("another process answered requests")
      const [process] = await harnessWithin({
        ...options,
        ...more,
        tape: false,
        from: await within.deployment(),
        seed: more.seed ?? within.forkSeed(),
      })
      return process
    },
    save: async (file) => {
      const tapeOfState = tapeSoFar === undefined ? {} : { tape: tapeSoFar() }
      await writeFile(file, JSON.stringify({ ...(await within.snapshot()), ...tapeOfState }))
    },
    [Symbol.asyncDispose]: async () => {
      await web?.dispose()
      await within[Symbol.asyncDispose]()
      const folder = process.env["COUNTERSIGN_REPORT"]
      if (folder !== undefined) Run.saveCounts(folder)
    },
  }
  return [pay, within]
}

export const harness = async (options: HarnessOptions = {}): Promise<Harness> => {
  const [pay] = await harnessWithin(options)
  return pay
}
