/** Your Express application, with the service under a path of it, on your own PostgreSQL pool. */
import type { AddressInfo } from "node:net"
import { embed } from "@countersign/adapter-http"
import { PostgresStore } from "@countersign/adapter-postgres"
import { Sandbox } from "@countersign/core/sandbox"
import express from "express"
import pg from "pg"

const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"] })

const payments = await embed({
  store: PostgresStore.layerPool({ pool }), // makes its tables in a schema of its own, `countersign`
  ports: Sandbox.layer, // simulates banks and checks; your own go here
  sandbox: true,
  platforms: [{ clientId: "demo", clientSecret: "demo-secret" }],
  webhookKey: process.env["WEBHOOK_KEY"], // signs webhooks: a P-256 private key, PEM
  walletSecret: process.env["WALLET_SECRET"], // the keys of wallets come from it
})

const app = express()
app.get("/", (_request, response) => void response.send("Your application"))
app.use(["/2025-10-13", "/webhooks", "/docs", "/openapi.json", "/sandbox"], payments.listener)

const server = app.listen(Number(process.env["PORT"] ?? 8787), "127.0.0.1", (error) => {
  if (error) throw error
  const { port } = server.address() as AddressInfo
  console.log(`ready http://127.0.0.1:${port}/2025-10-13`)
})
const stop = () =>
  server.close(async () => {
    await payments.dispose()
    await pool.end()
  })
process.once("SIGTERM", stop).once("SIGINT", stop)
