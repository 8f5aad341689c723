/** Calls the route as Next.js does, without Next.js: for the tests. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { nodeListener } from "@countersign/adapter-http"
import * as interfaceRoute from "./app/2025-10-13/[...path]/route.ts"
import * as sandboxRoute from "./app/sandbox/[...path]/route.ts"
import * as webhooksRoute from "./app/webhooks/[...path]/route.ts"
import { payments } from "./payments.ts"

const routes: { readonly [folder: string]: typeof interfaceRoute } = {
  "2025-10-13": interfaceRoute,
  sandbox: sandboxRoute,
  webhooks: webhooksRoute,
}
const answer = async (request: Request): Promise<Response> => {
  const [, folder = ""] = new URL(request.url).pathname.split("/")
  const route = routes[folder]
  if (route === undefined) return new Response(null, { status: 404 })
  const method = new Map(Object.entries(route)).get(request.method)
  return method === undefined ? new Response(null, { status: 405 }) : method(request)
}
const server = createServer(nodeListener(answer))
server.listen(Number(process.env["PORT"] ?? 8787), "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo
  console.log(`ready http://127.0.0.1:${port}/2025-10-13`)
})
const stop = () => server.close(async () => (await payments).dispose())
process.once("SIGTERM", stop).once("SIGINT", stop)
