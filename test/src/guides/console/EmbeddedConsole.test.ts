/** The approvals page beside an application of one's own: a person signs in by the page, and the application keeps its other paths. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { MemoryStore } from "@countersign/adapter-memory"
import { Sandbox } from "@countersign/core/sandbox"
import { expect, it } from "vitest"
import { startWithConsole } from "./EmbeddedConsole.ts"

const platform = { clientId: "demo", clientSecret: "demo-secret" }

it("signs a person in, and stops while a page follows changes", async () => {
  const { server, stop } = await startWithConsole(
    { store: MemoryStore.layer, ports: Sandbox.layer, sandbox: true, platforms: [platform] },
    (_request, response) => void response.end("Your application"),
  )
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await (await fetch(`${origin}/`)).text()).toBe("Your application")
  expect(await (await fetch(`${origin}/console`)).text()).toContain("<!doctype html>")

  const authorization = `Basic ${btoa(`${platform.clientId}:${platform.clientSecret}`)}`
  const headers = { authorization, "content-type": "application/json", origin, "sec-fetch-site": "same-origin" }
  const signedIn = await fetch(`${origin}/console/session`, { method: "POST", headers, body: '{"approver":"Ada"}' })
  expect(signedIn.status).toBe(201)

  const changes = await fetch(`${origin}/2025-10-13/operator/changes`, { headers: { authorization } })
  expect(changes.status).toBe(200)
  const ended = changes.text().catch(() => "")
  const closed = once(server, "close")
  await stop()
  await Promise.all([ended, closed])
})
