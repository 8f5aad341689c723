/**
 * Handlers typed by their endpoints: a body that an endpoint's success schema does not describe is a compile error in the handler.
 * Source: architecture, "Where a new thing goes" (endpoint).
 */
import type { WithStatus } from "@countersign/client/api"
import type { Answered } from "@countersign/core"
import { type Spellings, spellingsOf } from "@countersign/core/models"
import { serviceNameOf, WireNames } from "@countersign/core/ports"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { HttpApiBuilder, HttpApiEndpoint } from "effect/http-api"
import { spellingByEndpoint } from "../middleware/AnswerSpelling.ts"
import { type AnyAnswer, type Failure, respond } from "../middleware/Answers.ts"

/** An answer whose status the handler chooses. */
export interface Answer<Status extends number, Body> {
  readonly status: Status
  readonly body: Body
  /** Answers of services may be replays; these never are. */
  readonly replayed?: never
}

/** The success schemas of an endpoint, as a union. */
type Schemas<Endpoint extends HttpApiEndpoint.Constraint> = Endpoint["~Success"] extends { readonly schema: infer S }
  ? S
  : never

/** An empty response is `null` to a handler. */
type BodyOf<Type> = Type extends void ? null : Type

/** The answer that one success schema describes: 200, or 204 where it is empty, unless the schema is marked with a status. */
type AnswerOfSchema<S> = S extends { readonly Type: infer Type }
  ? Answer<S extends WithStatus<infer Status> ? Status : Type extends void ? 204 : 200, BodyOf<Type>>
  : never

/** What a handler of `Endpoint` returns: what a service answered, or an answer with one of the endpoint's statuses and its body. */
export type AnswerOf<Endpoint extends HttpApiEndpoint.Constraint> =
  | Answered<BodyOf<Endpoint["~Success"]["Type"]>>
  | AnswerOfSchema<Schemas<Endpoint>>

/** A handler of `Endpoint`: it returns an answer of the endpoint or an expected failure of a service. */
export type EndpointHandler<Endpoint extends HttpApiEndpoint.Constraint, R = unknown> = (
  request: HttpApiEndpoint.Request<Endpoint>,
) => Effect.Effect<AnswerOf<Endpoint>, Failure, R>

type Endpoints = Record<string, HttpApiEndpoint.Constraint>

/** One handler for each endpoint of a group. */
export type EndpointHandlers<ByName extends Endpoints> = {
  readonly [Name in keyof ByName]: EndpointHandler<ByName[Name]>
}

type Handler = (request: never) => Effect.Effect<AnyAnswer, Failure, unknown>

/** The same handlers with their answers turned into responses. */
type Responding<ByName extends Endpoints, Handlers> = {
  readonly [Name in keyof Handlers & keyof ByName]: Handlers[Name] extends EndpointHandler<ByName[Name], infer R>
    ? (request: HttpApiEndpoint.Request<ByName[Name]>) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>
    : never
}

/** A request as every handler gets it. */
interface Addressed {
  readonly endpoint: HttpApiEndpoint.Top
}

type Responder = (request: never) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, unknown>

/** Decided once for all requests, so that those under the default name do no work for others. */
const respondingAs = (spellings: Spellings): ((handler: Handler) => Responder) => {
  if (spellings.size === 0) return (handler) => (request) => respond(handler(request))
  const spellingOf = spellingByEndpoint(spellings)
  return (handler) => (request: never) => respond(handler(request), spellingOf((request as Addressed).endpoint))
}

/**
 * Turns the answers of `handlers` into responses for `handleAll` of the same group. The body is sent as it is: the services return
 * wire resources, and a second encoding would cost time without changing a byte. Only a service with a name of its own renames members.
 */
export const answering = <ByName extends Endpoints, const Handlers extends EndpointHandlers<ByName>>(
  _group: HttpApiBuilder.Handlers<never, ByName>,
  handlers: Handlers,
) =>
  Effect.map(WireNames, (names) => {
    const responding = respondingAs(spellingsOf(serviceNameOf(names)))
    return Object.fromEntries(
      Object.entries<Handler>(handlers).map(([name, handler]) => [name, responding(handler)]),
    ) as Responding<ByName, Handlers>
  })

const answer =
  <const Status extends number>(status: Status) =>
  <A, E, R>(result: Effect.Effect<A, E, R>): Effect.Effect<Answer<Status, A>, E, R> =>
    Effect.map(result, (body) => ({ status, body }))

/** The 200 of a read. */
export const ok = answer(200)

/** The 201 of a call that makes something. */
export const created = answer(201)

/** The 202 of a call whose effects follow later. */
export const accepted = answer(202)

/** The 204 of an operation whose result is not sent. */
export const noContent = <E, R>(done: Effect.Effect<unknown, E, R>): Effect.Effect<Answer<204, null>, E, R> =>
  Effect.as(done, { status: 204, body: null })
