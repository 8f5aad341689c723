/**
 * The telemetry that the server sends to a collector of OpenTelemetry's variables, and the answer of `/metrics` when it is enabled.
 * Source: D-194, D-195.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "vitest"
import { eventually } from "./Deadline.ts"
import { startServer } from "./ServerProcess.ts"

interface Received {
  readonly path: string
  readonly type: string | undefined
  readonly body: string
}

/** A collector that stores what it receives. */
const collector = async () => {
  const received: Array<Received> = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString("utf8")
    received.push({ path: request.url ?? "", type: request.headers["content-type"], body })
    response.writeHead(200, { "content-type": "application/json" }).end("{}")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const to = (path: string) => received.filter((one) => one.path === path)
  return {
    received,
    to,
    endpoint: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const soon = { OTEL_BSP_SCHEDULE_DELAY: "50", OTEL_BLRP_SCHEDULE_DELAY: "50", OTEL_METRIC_EXPORT_INTERVAL: "50" }

it("sends traces, metrics and logs to the collector under the service's name", { timeout: 120_000 }, async () => {
  await using collecting = await collector()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collecting.endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", ...soon }
  await using server = await startServer({ options: ["--log-level", "debug"], env })
  expect((await fetch(`${server.base}/config?of=somebody`)).status).toBe(401)
  const has = (path: string, text: string) => () => collecting.to(path).some(({ body }) => body.includes(text))
  const isThere = (found: boolean) => found
  await eventually("the span", has("/v1/traces", '"name":"GET /2025-10-13/config"'), isThere)
  await eventually("the count", has("/v1/metrics", '"name":"countersign_requests_total"'), isThere)
  await eventually("the log line", has("/v1/logs", "requestId"), isThere)
  for (const { body, type } of collecting.received) {
    expect([type, body.includes('{"key":"service.name","value":{"stringValue":"countersign"}}')]).toEqual([
      "application/json",
      true,
    ])
    expect(body).not.toContain("somebody")
  }
})

it("sends protocol buffers and another service name when configured", { timeout: 120_000 }, async () => {
  await using collecting = await collector()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collecting.endpoint, OTEL_SERVICE_NAME: "till-number-one", ...soon }
  await using server = await startServer({ env })
  await fetch(`${server.base}/config`)
  const [first] = await eventually(
    "the spans",
    () => collecting.to("/v1/traces"),
    (found) => found.length > 0,
  )
  expect(first?.type).toBe("application/x-protobuf")
  expect(first?.body).toContain("till-number-one")
})

it("answers /metrics when it is enabled, and 404 otherwise", { timeout: 120_000 }, async () => {
  await using off = await startServer()
  expect((await fetch(`${off.origin}/metrics`)).status).toBe(404)
  await using on = await startServer({ options: ["--metrics"] })
  await fetch(`${on.base}/config`)
  const text = await (await fetch(`${on.origin}/metrics`)).text()
  expect(text).toContain('countersign_requests_total{method="GET",route="/2025-10-13/config",status="401"} 1')
})
