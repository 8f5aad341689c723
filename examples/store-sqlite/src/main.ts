/** The service on node:http, with its state in a file. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { embed } from "@countersign/adapter-http"
import { Sandbox } from "@countersign/core/sandbox"
import { SqliteStore } from "./SqliteStore.ts"

const payments = await embed({
  store: SqliteStore.layer({ file: process.env["STORE_FILE"] ?? "countersign.sqlite" }),
  ports: Sandbox.layer,
  sandbox: true,
  platforms: [{ clientId: "demo", clientSecret: "demo-secret" }],
  webhookKey: process.env["WEBHOOK_KEY"], // signs webhooks: a P-256 private key, PEM
  walletSecret: process.env["WALLET_SECRET"], // the keys of wallets come from it
})

const server = createServer(payments.listener)
server.listen(Number(process.env["PORT"] ?? 8787), "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo
  console.log(`ready http://127.0.0.1:${port}/2025-10-13`)
})
const stop = () => server.close(() => payments.dispose())
process.once("SIGTERM", stop).once("SIGINT", stop)
