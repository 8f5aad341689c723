/** Answers of a receiver of HTTP/2, and the results of deliveries to it. */
import type http2 from "node:http2"
import { Effect } from "effect"
import type { Http2Answer, Http2Receiver } from "./Http2Receiver.ts"
import { host } from "./TrustedHost.ts"

export const answered = (body: string) => ({ _tag: "Answered", status: 200, body })
export const unreachable = (reason: string) => ({ _tag: "Unreachable", reason })

export const urlOf = ({ port }: Http2Receiver, path = "/") => `https://${host}:${port}${path}`

export const answer: Http2Answer = (stream) => {
  stream.respond({ ":status": 200 })
  stream.end("ok")
}

/** Answers by the number of the request, from 1 on; the last one answers the rest. */
export const inTurn = (...answers: ReadonlyArray<Http2Answer>): Http2Answer => {
  let count = 0
  return (stream, body) => {
    answers[Math.min(count, answers.length - 1)]?.(stream, body)
    count += 1
  }
}

/** The error code with which a stream ends. */
export const ending = (stream: http2.ServerHttp2Stream) =>
  Effect.callback<number | undefined>((resume) => {
    if (stream.closed) resume(Effect.succeed(stream.rstCode))
    else stream.once("close", () => resume(Effect.succeed(stream.rstCode)))
  })
