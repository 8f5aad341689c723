/** The service under a path of a Hono application; with another adapter of Hono's it runs wherever Hono does. */
import { embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { Sandbox } from "@countersign/core/sandbox"
import { serve } from "@hono/node-server"
import { Hono } from "hono"

const payments = await embed({
  store: MemoryStore.layer,
  ports: Sandbox.layer,
  sandbox: true,
  platforms: [{ clientId: "demo", clientSecret: "demo-secret" }],
})

const app = new Hono()
app.get("/", (context) => context.text("Your application"))
for (const path of ["/2025-10-13/*", "/webhooks/*", "/sandbox/*"]) {
  app.all(path, (context) => payments.handler(context.req.raw))
}

const options = { fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env["PORT"] ?? 8787) }
const server = serve(options, ({ port }) => {
  console.log(`ready http://127.0.0.1:${port}/2025-10-13`)
})
const stop = () => server.close(() => payments.dispose())
process.once("SIGTERM", stop).once("SIGINT", stop)
