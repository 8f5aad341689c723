/**
 * Publishes every answer of the interface to the subscribers of this process: for request logs of an embedding server, and for tests that
 * hold all traffic against the document.
 * Source: D-366; `node:diagnostics_channel`. Bodies hold what the caller may see, secrets too: a subscriber must not keep them.
 */
import { channel } from "node:diagnostics_channel"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"

/** An answer as it leaves the interface. */
export interface PublishedAnswer {
  readonly method: string
  /** The path and query of the request. */
  readonly url: string
  /** The route that answered, with the names of its parameters; `none` if no route has this path and method. */
  readonly route: string
  readonly requestId: string
  /** The name in the service's own headers, fields and values. */
  readonly serviceName: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly contentType: string | undefined
  /** The bytes of the body; `undefined` for an empty body and for one that is a stream. */
  readonly body: Uint8Array | undefined
}

/** The channel of `node:diagnostics_channel` to which each answer is published, as a `PublishedAnswer`. */
export const answerChannelName = "countersign:answer"

const answers = channel(answerChannelName)

/** Costs nothing while nobody subscribes. */
export const publishAnswer = (
  { method, url }: HttpServerRequest.HttpServerRequest,
  known: Pick<PublishedAnswer, "route" | "requestId" | "serviceName">,
  { body, headers, status }: HttpServerResponse.HttpServerResponse,
): void => {
  if (!answers.hasSubscribers) return
  const bytes = body._tag === "Uint8Array" ? body : undefined
  const answer: PublishedAnswer = {
    ...known,
    method,
    url,
    status,
    headers,
    contentType: body._tag === "Empty" ? undefined : headers["content-type"],
    body: bytes?.body,
  }
  answers.publish(answer)
}
