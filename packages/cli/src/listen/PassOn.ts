/** Verifies a webhook, passes it on unchanged, and says what became of it. Source: D-460. */
import { challengeAnswer, type WebhookEvent, WebhookRefused } from "@countersign/client/webhook"
import type { Clock } from "effect"

const forwardTimeoutMillis = 25_000

/** Headers of one connection, or such as `fetch` sets itself. */
const ownHeaders =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|expect|upgrade|te|trailer|accept-encoding)$/iu

/** The headers of a webhook that belong to it and not to its connection. */
export const webhookHeaders = (
  headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>,
): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      ownHeaders.test(name) || typeof value !== "string" ? [] : [[name, value] as [string, string]],
    ),
  )

/** What became of one request. */
export type Outcome =
  | { readonly _tag: "Refused"; readonly reason: string }
  | { readonly _tag: "Received"; readonly event: WebhookEvent }
  | { readonly _tag: "Forwarded"; readonly event: WebhookEvent; readonly status: number; readonly millis: number }
  | { readonly _tag: "Unreachable"; readonly event: WebhookEvent; readonly reason: string }

export interface PassOnOptions {
  /** Returns the event of a webhook of the platform; rejects with `WebhookRefused`. */
  readonly verify: (headers: Headers, body: Uint8Array) => Promise<WebhookEvent>
  readonly forwardTo: string | undefined
  readonly clock: Clock.Clock
}

export interface Answer {
  readonly outcome: Outcome
  readonly status: number
  readonly body?: Uint8Array
  readonly contentType?: string | null
}

const forward = async (
  to: string,
  event: WebhookEvent,
  clock: Clock.Clock,
  { body, headers }: { readonly body: Uint8Array<ArrayBuffer>; readonly headers: Headers },
): Promise<Answer> => {
  const startedAt = clock.currentTimeMillisUnsafe()
  try {
    const signal = AbortSignal.timeout(forwardTimeoutMillis)
    const response = await fetch(to, { method: "POST", headers, body, redirect: "manual", signal })
    const answer = new Uint8Array(await response.arrayBuffer())
    const millis = clock.currentTimeMillisUnsafe() - startedAt
    const { status } = response
    const contentType = response.headers.get("content-type")
    return { outcome: { _tag: "Forwarded", event, status, millis }, status, body: answer, contentType }
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
    // The service sends the event again later.
    return { outcome: { _tag: "Unreachable", event, reason }, status: 502 }
  }
}

/** Acknowledges an event, and answers a challenge. */
const received = (event: WebhookEvent): Answer => {
  const answer = challengeAnswer(event)
  const body = answer === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(answer)) }
  return { outcome: { _tag: "Received", event }, status: 200, contentType: "application/json", ...body }
}

/** Returns the answer of the program, or the one in its place. */
export const passOn =
  ({ clock, forwardTo, verify }: PassOnOptions) =>
  async (headers: Headers, body: Uint8Array<ArrayBuffer>): Promise<Answer> => {
    try {
      const event = await verify(headers, body)
      if (forwardTo === undefined) return received(event)
      return await forward(forwardTo, event, clock, { body, headers })
    } catch (error) {
      const reason = error instanceof WebhookRefused ? error.reason : "the keys cannot be read"
      return { outcome: { _tag: "Refused", reason }, status: error instanceof WebhookRefused ? 400 : 503 }
    }
  }
