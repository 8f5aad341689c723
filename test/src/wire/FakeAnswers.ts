/** Answers of the fake handlers: the decoded request. */
import { CurrentCaller } from "@countersign/core"
import { Effect } from "effect"
import { type Failure, respond } from "../../../packages/adapter-http/src/middleware/Answers.ts"

interface DecodedRequest {
  readonly endpoint: unknown
  readonly params?: unknown
  readonly query?: unknown
  readonly payload?: unknown
}

export const echo = (endpoint: string, { params, payload, query }: DecodedRequest) =>
  Effect.map(CurrentCaller, (caller) => ({ endpoint, caller: caller._tag, params, query, payload }))

export const ok = <R>(body: Effect.Effect<unknown, Failure, R>) =>
  respond(Effect.map(body, (value) => ({ status: 200, body: value })))

export const noContent = () => respond(Effect.succeed({ status: 204, body: null }))

export const read = (endpoint: string) => (request: DecodedRequest) => ok(echo(endpoint, request))

export const wrote = (endpoint: string, status: number) => (request: DecodedRequest) =>
  respond(Effect.map(echo(endpoint, request), (body) => ({ status, body, replayed: false })))
