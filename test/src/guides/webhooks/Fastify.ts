/** The endpoint in a Fastify application. */
import { webhookBytesMax } from "@countersign/client/webhook"
import fastify from "fastify"
import type { Receive } from "./Receive.ts"

export const withFastify = (receive: Receive) => {
  const app = fastify()
  // A plugin has parsers of its own: other routes still get parsed JSON.
  app.register(async (hooks) => {
    hooks.addContentTypeParser(
      "application/json",
      { parseAs: "buffer" },
      async (_request: unknown, body: Buffer) => body,
    )
    hooks.post<{ Body: Buffer }>("/hooks", { bodyLimit: webhookBytesMax }, async (request, reply) => {
      const { json, status } = await receive(request.headers, request.body)
      return reply.status(status).send(json)
    })
  })
  return app
}
