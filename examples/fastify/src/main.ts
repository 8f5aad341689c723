/** The service under a path of a Fastify application. */
import { embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { Sandbox } from "@countersign/core/sandbox"
import Fastify from "fastify"

const payments = await embed({
  store: MemoryStore.layer,
  ports: Sandbox.layer,
  sandbox: true,
  platforms: [{ clientId: "demo", clientSecret: "demo-secret" }],
})

const app = Fastify({ forceCloseConnections: "idle" })
app.get("/", () => "Your application")

await app.register((scope, _options, done) => {
  // The service reads its bodies itself.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null))
  for (const path of ["/2025-10-13/*", "/webhooks/*", "/sandbox/*"]) {
    scope.all(path, (request, reply) => {
      reply.hijack()
      return payments.listener(request.raw, reply.raw)
    })
  }
  done()
})
app.addHook("onClose", () => payments.dispose())

const address = await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"] ?? 8787) })
console.log(`ready ${address}/2025-10-13`)
const stop = () => app.close()
process.once("SIGTERM", stop).once("SIGINT", stop)
