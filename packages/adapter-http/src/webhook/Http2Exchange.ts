/**
 * One POST over an HTTP/2 connection that other deliveries share. An interruption resets its stream.
 * Source: wire contract 6.2; RFC 9113; D-510.
 */
import http2 from "node:http2"
import type { WebhookRequest, WebhookResult } from "@countersign/core/ports"
import { Effect } from "effect"
import * as AnswerBody from "./AnswerBody.ts"
import { closedEarly, isClosed, NotProcessed, reasonOf, unreachable } from "./ConnectionErrors.ts"
import type { Http2Connection } from "./Http2Connections.ts"

const { NGHTTP2_CANCEL, NGHTTP2_HTTP_1_1_REQUIRED, NGHTTP2_NO_ERROR } = http2.constants

/** The names of the error codes, by number. RFC 9113, section 7. */
const resetNames = [
  "NO_ERROR",
  "PROTOCOL_ERROR",
  "INTERNAL_ERROR",
  "FLOW_CONTROL_ERROR",
  "SETTINGS_TIMEOUT",
  "STREAM_CLOSED",
  "FRAME_SIZE_ERROR",
  "REFUSED_STREAM",
  "CANCEL",
  "COMPRESSION_ERROR",
  "CONNECT_ERROR",
  "ENHANCE_YOUR_CALM",
  "INADEQUATE_SECURITY",
  "HTTP_1_1_REQUIRED",
]

export const send = (
  url: URL,
  { body, headers }: WebhookRequest,
  connection: Http2Connection,
): Effect.Effect<WebhookResult, NotProcessed> =>
  Effect.callback((resume) => {
    // It closed since it was chosen.
    if (!connection.isOpen) return resume(Effect.fail(new NotProcessed({ reason: closedEarly, over: "any" })))
    const bytes = Buffer.from(body)
    const wasUsed = connection.hasAnswered
    let status: number | undefined
    let text = ""
    let isOver = false
    const end = (result: Effect.Effect<WebhookResult, NotProcessed>) => {
      if (isOver) return
      isOver = true
      resume(result)
    }
    const stream = connection.request({
      ...headers,
      ":method": "POST",
      ":path": `${url.pathname}${url.search}`,
      "content-length": bytes.length,
    })
    let error: NodeJS.ErrnoException | undefined
    stream.on("response", (fields) => {
      status = Number(fields[":status"])
      connection.hasAnswered = true
    })
    const answer = () => {
      if (status !== undefined) end(Effect.succeed({ _tag: "Answered", status, body: text }))
    }
    AnswerBody.read(stream, (read, isWhole) => {
      text = read
      // Whether the body is whole is known when the stream closes: one that was reset, or lost with its connection, also ends.
      if (isWhole) return
      answer()
      stream.close(NGHTTP2_CANCEL)
    })
    stream.on("error", (cause) => {
      error = cause
    })
    stream.on("close", () => {
      if (stream.readableEnded && stream.rstCode === NGHTTP2_NO_ERROR) answer()
      const isLost = connection.socket.destroyed && (error === undefined || isClosed(error))
      const reason = reasonOfEnd(stream, isLost ? undefined : error, isLost)
      const over = stream.rstCode === NGHTTP2_HTTP_1_1_REQUIRED ? "http1" : "any"
      const maySendAgain =
        status === undefined && (over === "http1" || connection.isUnprocessed(stream) || (isLost && wasUsed))
      end(maySendAgain ? Effect.fail(new NotProcessed({ reason, over })) : Effect.succeed(unreachable(reason)))
    })
    stream.end(bytes)
    return Effect.sync(() => {
      isOver = true
      stream.close(NGHTTP2_CANCEL)
      // Whether the connection still works is not known, so that the next delivery opens another one.
      if (status === undefined) connection.retire()
    })
  })

const reasonOfEnd = (
  { rstCode }: http2.ClientHttp2Stream,
  error: NodeJS.ErrnoException | undefined,
  isLost: boolean,
): string => {
  if (isLost || (error === undefined && rstCode === NGHTTP2_NO_ERROR)) return closedEarly
  if (error !== undefined && error.code !== "ERR_HTTP2_STREAM_ERROR") return reasonOf(error)
  return `the receiver reset the stream (${resetNames[rstCode ?? 0] ?? rstCode})`
}
