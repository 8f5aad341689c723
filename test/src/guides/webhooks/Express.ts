/** The endpoint in an Express application. */
import { webhookBytesMax } from "@countersign/client/webhook"
import express from "express"
import type { Receive } from "./Receive.ts"

export const withExpress = (receive: Receive) => {
  const app = express()
  // Before `app.use(express.json())`: what has parsed the body leaves no bytes to verify.
  app.post("/hooks", express.raw({ type: "*/*", limit: webhookBytesMax }), async (request, response) => {
    const { json, status } = await receive(request.headers, request.body)
    response.status(status).json(json)
  })
  app.use(express.json())
  return app
}
