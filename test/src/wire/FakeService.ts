/** A web handler on fake handlers, fake credentials and a store that implements readiness only. */

import { guards, makeWebHandler, type Page, type WebHandler } from "@countersign/adapter-http"
import { consolePage } from "@countersign/console"
import { ActionVotes, Authentication, ConsoleSessions, Inboxes, unauthorized, WebhookKeys } from "@countersign/core"
import { type AgentPermission, AgentPermissions, TokenPermissions } from "@countersign/core/models"
import { WebhookSigner } from "@countersign/core/ports"
import { Store, StoreUnavailable } from "@countersign/core/store"
import { Effect, Layer, Logger, Redacted } from "effect"
import * as SeededRandom from "../../../packages/test/src/harness/SeededRandom.ts"
import { processTraffic } from "../traffic/ProcessTraffic.ts"
import { payroll } from "./FakeAgent.ts"
import { fakeHandlers, Held } from "./FakeHandlers.ts"

const away = () => new StoreUnavailable({ unknown: false, cause: new Error("secret host name") })
const platformId = "PlatformConfig:00000000-0000-4000-8000-000000000001"
const customerId = "Customer:00000000-0000-4000-8000-000000000001"
const agentId = "Agent:00000000-0000-4000-8000-000000000001"

/** Basic credentials of a token: the client id names its permissions (`VIEW+MANAGE`, or `all`) and its platform (`all@other`). */
export const basic = (clientId = "all", secret = "secret"): string => `Basic ${btoa(`${clientId}:${secret}`)}`

/** The bearer token of an agent: it names its permissions, and whether the agent is paused. */
export const bearer = (permissions = "all", isPaused = false): string =>
  `Bearer token.${permissions}.${isPaused ? "paused" : "active"}`

const namedIn = <A extends string>(names: string, all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all.filter((name) => names === "all" || names.split("+").includes(name))

const agentOf = (permissions: ReadonlyArray<AgentPermission>, isPaused: boolean) => ({
  kind: "Agent" as const,
  id: agentId,
  platformId,
  customerId,
  version: 1,
  createdAt: 0,
  updatedAt: 0,
  data: payroll(permissions, isPaused),
})

const credentials = Layer.succeed(
  Authentication,
  Authentication.of({
    platform: (clientId, clientSecret) => {
      if (clientId === "away") return Effect.fail(away())
      if (Redacted.value(clientSecret) !== "secret") return Effect.fail(unauthorized("INVALID_CREDENTIALS"))
      const [names = "", tenant = ""] = clientId.split("@")
      const permissions = namedIn(names, TokenPermissions)
      return Effect.succeed({ _tag: "Platform", platformId: `${platformId}${tenant}`, tokenId: "Token:1", permissions })
    },
    console: () => Effect.fail(unauthorized("CONSOLE_SESSION_ENDED")),
    deferPlatform: () => Effect.undefined,
    deferAgent: () => Effect.undefined,
    confirm: () => Effect.void,
    agent: (token) => {
      const [, permissions, state] = /^token\.([^.]*)\.(\w+)$/u.exec(Redacted.value(token)) ?? []
      if (permissions === undefined) return Effect.fail(unauthorized("INVALID_AGENT_TOKEN"))
      const agent = agentOf(namedIn(permissions, AgentPermissions.keys), state === "paused")
      return Effect.succeed({
        caller: { _tag: "Agent", platformId, customerId, agentId, budget: "USD.0" },
        agent,
      })
    },
    hasStoredAnswer: (_, { key }) => Effect.succeed(key === "again"),
  }),
)

const unused = Effect.die(new Error("the interface does not use the store itself"))

const store = (ready: Store["Service"]["ready"]) =>
  Layer.succeed(
    Store,
    Store.of({
      read: () => unused,
      list: () => unused,
      commit: () => unused,
      history: () => unused,
      event: () => unused,
      events: () => unused,
      delivery: () => unused,
      resolve: () => unused,
      claim: () => unused,
      workload: () => unused,
      aheadMillis: () => 0,
      moveTime: () => unused,
      platformCount: unused,
      nextDue: () => unused,
      jobs: unused,
      countJobs: () => unused,
      parkedJobs: () => unused,
      dueJobs: () => unused,
      balanceTotals: unused,
      accountBalances: () => unused,
      accountEntries: () => unused,
      ownPostings: () => unused,
      awaitWork: () => unused,
      watch: () => unused,
      trialBalance: unused,
      rootUses: unused,
      postings: () => unused,
      attend: Effect.void,
      ready,
    }),
  )

export const publicKey = "-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----\n"
const sessions = Layer.succeed(
  ConsoleSessions,
  ConsoleSessions.of({
    signIn: () => unused,
    challenge: () => unused,
    prove: () => unused,
    signOut: () => unused,
    noteActivity: () => unused,
  }),
)
const votes = Layer.succeed(
  ActionVotes,
  ActionVotes.of({ show: () => unused, begin: () => unused, cast: () => unused }),
)
const signer = Layer.succeed(
  WebhookSigner,
  WebhookSigner.of({ sign: () => unused, publicKey, roots: ["root"], platformKey: () => unused }),
)
const webhookKeys = Layer.succeed(
  WebhookKeys,
  WebhookKeys.of({
    list: unused,
    rotate: () => unused,
    reveal: () => unused,
    publicKey: Effect.succeed(publicKey),
    signing: () => unused,
  }),
)

const inboxes = Layer.succeed(
  Inboxes,
  Inboxes.of({
    get: () => unused,
    open: () => unused,
    list: () => unused,
    message: () => unused,
    clear: unused,
    answerNext: () => unused,
    admit: () => unused,
    receive: () => unused,
  }),
)

export interface FakeOptions {
  readonly basePath?: string
  readonly isReady?: boolean
  /** Replaces the readiness check of the store. */
  readonly ready?: Store["Service"]["ready"]
  /** `unset`: the handler has no such option. */
  readonly sandbox?: boolean | "unset"
  /** What `GET /customers/held` waits for. */
  readonly held?: Effect.Effect<void>
  readonly requestsInFlightMax?: number
  readonly requestsInFlightPerTenantMax?: number
  readonly console?: boolean
  readonly metrics?: boolean
  readonly pages?: ReadonlyArray<Page>
  /** Receives each log line. */
  readonly log?: (line: string) => void
}

const logger = (log: (line: string) => void) => Logger.layer([Logger.map(Logger.formatJson, log)])

/** Excludes the answers of this file from the check of all traffic: they are not those of the service. */
const inventing = (web: WebHandler): WebHandler => {
  const invent = () => {
    processTraffic().isInvented = true
  }
  return {
    ...web,
    handler: (request, info) => {
      invent()
      return web.handler(request, info)
    },
    exchange: () => {
      invent()
      return web.exchange?.()
    },
  }
}

export const fakeService = ({
  basePath,
  console = false,
  held = Effect.void,
  isReady = true,
  log = () => {},
  pages = [],
  ready = isReady ? Effect.void : Effect.fail(away()),
  sandbox = true,
  ...limits
}: FakeOptions = {}) =>
  inventing(
    makeWebHandler({
      application: Layer.mergeAll(
        fakeHandlers.pipe(Layer.provide(guards)),
        webhookKeys,
        inboxes,
        sessions,
        votes,
        store(ready),
        signer,
        SeededRandom.layer(1),
        logger(log),
        Layer.succeed(Held, held),
      ).pipe(Layer.provideMerge(credentials)),
      ...limits,
      ...(sandbox === "unset" ? {} : { sandbox }),
      pages: console ? [consolePage] : pages,
      ...(basePath === undefined ? {} : { basePath }),
    }),
  )

export interface Sent {
  readonly method?: string
  readonly authorization?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, except for text, bytes and streams. */
  readonly body?: unknown
}

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> | ReadableStream =>
  typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream

const service = fakeService()
export const base = "/2025-10-13"

/** Sends a request to a service, by default with platform credentials. */
export const sendTo =
  ({ handler }: Pick<typeof service, "handler">) =>
  async (path: string, { authorization = basic(), body, headers = {}, method = "GET" }: Sent = {}) => {
    const raw = isRaw(body) ? body : body === undefined ? undefined : JSON.stringify(body)
    const json: Readonly<Record<string, string>> = raw === undefined ? {} : { "content-type": "application/json" }
    const all = { ...json, ...(authorization === null ? {} : { authorization }), ...headers }
    const init = { method, headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== "")) }
    return handler(
      new Request(`http://service.test${path}`, raw === undefined ? init : { ...init, body: raw, duplex: "half" }),
    )
  }

export const send = sendTo(service)
/** Sends to a path of the interface. */
export const call = (path: string, sent?: Sent) => send(`${base}${path}`, sent)

/** The union of the bodies of fake handlers, of errors and of the OpenAPI document. */
interface Answer {
  readonly status?: number
  readonly code?: string
  readonly details: {
    readonly errors: ReadonlyArray<{
      readonly field: string
      readonly message: string
      readonly constraint?: Readonly<Record<string, unknown>>
    }>
  }
  readonly params?: unknown
  readonly query?: unknown
  readonly payload?: unknown
  readonly servers?: unknown
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

/** Returns the JSON body of a response. */
export const json = async (response: Response | Promise<Response>): Promise<Answer> =>
  JSON.parse(await (await response).text())
