/** Calls the route as Next.js does, without Next.js: for the tests. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { nodeListener } from "@countersign/adapter-http"
import * as route from "./app/2025-10-13/[...path]/route.ts"
import { payments } from "./payments.ts"

const methods = new Map(Object.entries(route))
const refused = async () => new Response(null, { status: 405 })
const server = createServer(nodeListener((request) => (methods.get(request.method) ?? refused)(request)))
server.listen(Number(process.env["PORT"] ?? 8787), "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo
  console.log(`ready http://127.0.0.1:${port}/2025-10-13`)
})
const stop = () => server.close(async () => (await payments).dispose())
process.once("SIGTERM", stop).once("SIGINT", stop)
