/**
 * One POST over HTTP/1.1. An interruption destroys the socket.
 * Source: wire contract 6.2.
 */
import http from "node:http"
import https from "node:https"
import type { WebhookRequest, WebhookResult } from "@countersign/core/ports"
import { Effect } from "effect"
import * as AnswerBody from "./AnswerBody.ts"
import { closedEarly, isClosed, NotProcessed, reasonOf, unreachable } from "./ConnectionErrors.ts"
import { Http2Chosen, Opening, type OpeningOptions } from "./NegotiatingAgent.ts"

/** Fails with `Http2Chosen` before the request is sent, when the agent is one for https and the receiver chooses HTTP/2. */
export const send = (
  url: URL,
  { body, headers }: WebhookRequest,
  agent: http.Agent,
): Effect.Effect<WebhookResult, Http2Chosen | NotProcessed> =>
  Effect.callback((resume) => {
    const bytes = Buffer.from(body)
    const opening = new Opening(url.origin)
    let isOver = false
    const end = (result: Effect.Effect<WebhookResult, Http2Chosen | NotProcessed>) => {
      if (isOver) return
      isOver = true
      resume(result)
    }
    const fail = (error: NodeJS.ErrnoException) => end(Effect.succeed(unreachable(reasonOf(error))))
    const options: OpeningOptions = {
      method: "POST",
      agent,
      headers: { ...headers, "Content-Length": bytes.length },
      opening,
    }
    const request = (url.protocol === "https:" ? https : http).request(url, options)
    request.on("response", (response) => {
      AnswerBody.read(response, (text, isWhole) => {
        end(Effect.succeed({ _tag: "Answered", status: response.statusCode ?? 0, body: text }))
        if (!isWhole) response.destroy()
      })
      response.on("error", fail)
    })
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (error instanceof Http2Chosen) end(Effect.fail(error))
      // The server closed an idle connection while it was being reused.
      else if (request.reusedSocket && isClosed(error))
        end(Effect.fail(new NotProcessed({ reason: reasonOf(error), over: "http1" })))
      else fail(error)
    })
    // The connection may close without an error or a response, for example after an unrequested protocol upgrade.
    request.on("close", () => end(Effect.succeed(unreachable(closedEarly))))
    request.end(bytes)
    return Effect.sync(() => {
      isOver = true
      opening.cancel()
      request.destroy()
    })
  })
