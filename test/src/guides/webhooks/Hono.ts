/** The endpoint in a Hono application. */
import { Hono } from "hono"
import type { Receive } from "./Receive.ts"

export const withHono = (receive: Receive) => {
  const app = new Hono()
  app.post("/hooks", async (context) => {
    const { json, status } = await receive(context.req.raw.headers, await context.req.arrayBuffer())
    return context.json(json, status)
  })
  return app
}
