/**
 * The requests that a platform has sent to a sandbox.
 * Source: D-464.
 */
import { Context, Effect, Layer, Struct } from "effect"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { encodeCursor, limitDefault, totalCountOf } from "../../foundation/kit/Page.ts"
import {
  type RequestCaller,
  type RequestDetail,
  type RequestListResponse,
  type RequestOutcome,
  RequestSummary,
} from "../../model/request/RequestResource.ts"
import { positionAfter } from "../../operation/Listing.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { type KeptRequest, RequestJournal } from "../../ports/RequestJournal.ts"
import { type Caller, CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"

/** Filters of the requests, all of which must hold. */
export interface RequestsQuery {
  /** The operation's id, such as `createTransferOut`. */
  readonly operation?: string
  readonly outcome?: RequestOutcome
  /** The id of an API token or of an agent. */
  readonly caller?: string
  /** A part of the path. */
  readonly path?: string
  /** The id of a record that they wrote. */
  readonly record?: string
  readonly limit?: number
  readonly cursor?: string
}

/** What a tape is made of: the requests, and how secrets in them are recognized. */
export interface RequestHistory {
  /** The platform's requests up to this one, oldest first. */
  readonly entries: ReadonlyArray<KeptRequest>
  /** Returns the digest by which the journal knows a masked text. */
  readonly digestOf: (text: string) => string
  /** The API tokens that the deployment's configuration gave. */
  readonly configuredTokens: ReadonlySet<string>
}

const keepsNone = new ServiceError({ code: "NOT_IMPLEMENTED", message: "This deployment keeps no requests." })

/** A client may escape the colon of an id or not. */
const unescaped = (path: string): string => path.replaceAll(/%3A/giu, ":")

/** The request as this caller may see it. */
const shownTo =
  (caller: Caller) =>
  (kept: KeptRequest): KeptRequest => {
    const { answerPermission, request } = kept
    const permissions = caller._tag === "Platform" ? caller.permissions : []
    if (answerPermission === undefined || permissions.includes(answerPermission)) return kept
    const { responseBody: _, ...others } = request
    return { ...kept, request: others, digests: { ...kept.digests, received: {} } }
  }

const fits =
  ({ caller, operation, outcome, path, record }: RequestsQuery) =>
  ({ request }: KeptRequest): boolean =>
    (operation === undefined || request.operation === operation) &&
    (outcome === undefined || request.status >= 400 === (outcome === "FAILED")) &&
    (caller === undefined || request.caller.id === caller) &&
    (path === undefined || unescaped(request.path).includes(unescaped(path))) &&
    (record === undefined || request.commits.some(({ records }) => records.some(({ id }) => id === record)))

const summaryNames = Struct.keys(RequestSummary.fields)
const summaryOf = (detail: RequestDetail): RequestSummary => Struct.pick(detail, summaryNames)

export class Requests extends Context.Service<
  Requests,
  {
    /** Lists the platform's requests, the newest first. */
    readonly list: (
      query: RequestsQuery,
    ) => Effect.Effect<RequestListResponse, ServiceError | StoreUnavailable, CurrentCaller>
    /** Returns what led to a request, itself as the last one. */
    readonly history: (id: string) => Effect.Effect<RequestHistory, ServiceError | StoreUnavailable, CurrentCaller>
    readonly get: (id: string) => Effect.Effect<RequestDetail, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/Requests") {
  static readonly layer = Layer.effect(
    Requests,
    Effect.gen(function* () {
      const store = yield* Store
      const journal = yield* RequestJournal

      const kept = Effect.flatMap(CurrentCaller, (caller) =>
        journal === undefined
          ? Effect.fail(keepsNone)
          : Effect.map(journal.of(caller.platformId), (all) => all.map(shownTo(caller))),
      )

      /** Adds the names that tokens and agents have now. */
      const named = Effect.fnUntraced(function* <A extends { readonly caller: RequestCaller }>(
        requests: ReadonlyArray<A>,
      ) {
        const idsOf = (kind: RequestCaller["kind"]) =>
          new Set(requests.flatMap(({ caller }) => (caller.kind === kind ? (caller.id ?? []) : [])))
        const records = [
          ...[...idsOf("API_TOKEN")].map((id) => ({ kind: "ApiToken", id }) as const),
          ...[...idsOf("AGENT")].map((id) => ({ kind: "Agent", id }) as const),
        ]
        if (records.length === 0) return requests
        const { record } = yield* store.read({ records })
        const nameOf = ({ id = "", kind }: RequestCaller) => {
          if (kind === "API_TOKEN") return record("ApiToken", id)?.data.name
          return kind === "AGENT" ? record("Agent", id)?.data.name : undefined
        }
        return requests.map((request) => {
          const name = nameOf(request.caller)
          return name === undefined ? request : { ...request, caller: { ...request.caller, name } }
        })
      })

      return Requests.of({
        list: Effect.fnUntraced(function* (query) {
          const { cursor, limit = limitDefault, ...filters } = query
          const binding = { list: "requests", ...filters }
          const after = yield* positionAfter(cursor, binding)
          const found = (yield* kept).filter(fits(query)).toReversed()
          const rest = after === undefined ? found : found.filter(({ number }) => number < after.createdAt)
          const page = rest.slice(0, limit)
          const last = page.at(-1)
          const hasMore = rest.length > limit
          return {
            data: yield* named(page.map(({ request }) => summaryOf(request))),
            hasMore,
            ...(hasMore && last !== undefined
              ? { nextCursor: encodeCursor({ createdAt: last.number, id: last.request.id }, binding) }
              : {}),
            ...totalCountOf(found.length),
          }
        }, platformOnly),
        history: Effect.fnUntraced(function* (id) {
          const all = yield* kept
          const index = all.findIndex(({ request }) => request.id === id)
          if (index === -1 || journal === undefined) return yield* new ServiceError(notFound("request"))
          const entries = all.slice(0, index + 1)
          const ids = [
            ...new Set(
              entries.flatMap(({ request: { caller } }) => (caller.kind === "API_TOKEN" ? (caller.id ?? []) : [])),
            ),
          ]
          const { record } = yield* store.read({
            records: ids.map((each) => ({ kind: "ApiToken", id: each }) as const),
          })
          const isConfigured = (each: string) =>
            record("ApiToken", each)?.data.secrets.some((secret) => secret.isConfigured === true) === true
          return { entries, digestOf: journal.digestOf, configuredTokens: new Set(ids.filter(isConfigured)) }
        }, platformOnly),
        get: Effect.fnUntraced(function* (id) {
          const found = (yield* kept).find(({ request }) => request.id === id)
          if (found === undefined) return yield* new ServiceError(notFound("request"))
          const [request = found.request] = yield* named([found.request])
          return request
        }, platformOnly),
      })
    }),
  )
}
