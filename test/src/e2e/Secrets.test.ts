/**
 * The server writes no secret to its log or its outputs, at any log level.
 * Source: wire contract 11 (12, 60).
 */
import { describe, expect, it } from "vitest"
import { basic, client } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import { held, newAgent, newCustomer, newSource, transfer } from "./Flow.ts"
import { receiver } from "./Receiver.ts"
import { startServer } from "./ServerProcess.ts"

const isLogLine = (line: string): boolean => line.startsWith("{")

describe("the server's output", { timeout: 120_000 }, () => {
  it("contains no secret after the whole flow and its failures, except the generated one, once", async () => {
    await using hooks = await receiver()
    await using server = await startServer({
      options: ["--log", "json", "--log-level", "all", "--platform", "second:secret-of-the-second"],
    })
    const [clientSecret = ""] = server.printed("client secret")?.split(" ") ?? []
    const clientId = server.printed("client id") ?? ""
    const { base } = server
    const platform = client(base, basic(clientId, clientSecret))
    const second = client(base, basic("second", "secret-of-the-second"))

    hooks.answerNext(500, 500)
    await platform("PATCH", "/config", { body: { webhookEndpoint: hooks.url } })
    await second("PATCH", "/config", { body: { webhookEndpoint: hooks.url } })
    const customer = await newCustomer(platform)
    const sources = [await newSource(platform, customer), await newSource(platform, customer, "002")]
    const agent = await newAgent(base, platform, customer, { defaultExecutionMode: "APPROVAL_REQUIRED" })
    for (const source of sources) {
      const actionId = await held(agent, transfer(source, customer, 100))
      await platform("POST", `/agents/${agent.agentId}/actions/${actionId}/approve`)
    }
    await client(base)("POST", `/agents/device-codes/${agent.deviceCode}/redeem`)
    await platform("GET", `/agents/device-codes/${agent.deviceCode}/status`)
    await client(base, basic(clientId, `${clientSecret}-wrong`))("GET", "/config")
    await client(base, `Bearer ${agent.token} ${agent.token}`)("GET", "/agents/me")
    await client(base, `Basic ${agent.token}`)("GET", "/config")
    await agent.send("POST", "/agents/me/transfer-in", { body: { token: agent.token, amount: "x" } })
    await platform("DELETE", `/agents/${agent.agentId}`)
    await agent.send("GET", "/agents/me")
    await eventually(
      "the events of both transfers",
      () => hooks.ofType("INCOMING_PAYMENT.COMPLETED").length + hooks.ofType("INCOMING_PAYMENT.FAILED").length,
      (count) => count >= 2,
    )
    server.terminate()
    expect(await server.exited).toEqual({ code: 0, signal: null })

    const output = server.stdout() + server.stderr()
    const logged = server.stdout().split("\n").filter(isLogLine)
    expect(logged.length).toBeGreaterThan(0)
    for (const line of logged) expect(JSON.parse(line)).toHaveProperty("message")
    expect(output.split(clientSecret)).toHaveLength(2)
    expect(logged.join("\n")).not.toContain(clientSecret)
    const headers = [basic(clientId, clientSecret), basic("second", "secret-of-the-second")]
    const encoded = headers.map((header) => header.replace("Basic ", ""))
    for (const secret of [agent.token, agent.deviceCode, "secret-of-the-second", ...encoded]) {
      expect(output).not.toContain(secret)
    }
    expect(output).not.toContain("PRIVATE KEY")
  })
})
