/** The service on node:http. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { Sandbox } from "@countersign/core/sandbox"

const payments = await embed({
  store: MemoryStore.layer,
  ports: Sandbox.layer,
  sandbox: true,
  platforms: [{ clientId: "demo", clientSecret: "demo-secret" }],
})

const server = createServer(payments.listener)
server.listen(Number(process.env["PORT"] ?? 8787), "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo
  console.log(`ready http://127.0.0.1:${port}/2025-10-13`)
})
const stop = () => server.close(() => payments.dispose())
process.once("SIGTERM", stop).once("SIGINT", stop)
