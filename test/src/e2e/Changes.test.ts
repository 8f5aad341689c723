/**
 * Streams of changes of server processes: a stream of one process reports what another one did, and SIGTERM does not wait for it.
 * Source: D-453.
 */
import { generateKeyPairSync } from "node:crypto"
import { describe, expect, it } from "vitest"
import { eventStream } from "../http/EventStream.ts"
import { basic, client } from "./Client.ts"
import { credentialOptions, credentials, held, newAgent, newCustomer, newSource, newWorld, transfer } from "./Flow.ts"
import { newDatabase } from "./ServerDatabase.ts"
import { type ServerProcess, startServer } from "./ServerProcess.ts"

const authorization = basic(credentials.clientId, credentials.clientSecret)
const streamOf = async ({ base }: Pick<ServerProcess, "base">) =>
  eventStream(await fetch(`${base}/operator/changes`, { headers: { authorization } }))

describe("a stream of changes", { timeout: 120_000 }, () => {
  it("reports an action that waits for approval in another process, and its approval there", async () => {
    await using database = await newDatabase()
    const env = {
      COUNTERSIGN_WEBHOOK_KEY: generateKeyPairSync("ec", { namedCurve: "P-256" })
        .privateKey.export({ type: "pkcs8", format: "pem" })
        .toString(),
    }
    const options = [...credentialOptions, ...database.options, "--role", "api"]
    await using acting = await startServer({ options, env })
    await using watching = await startServer({ options, env })
    const platform = client(acting.base, authorization)
    const customer = await newCustomer(platform)
    const source = await newSource(platform, customer)
    const agent = await newAgent(acting.base, platform, customer, { defaultExecutionMode: "APPROVAL_REQUIRED" })

    const waiting = await streamOf(watching)
    const actionId = await held(agent, transfer(source, customer, 500))
    await waiting.awaits("approvals")
    await waiting.leave()

    const approved = await streamOf(watching)
    expect(await platform("POST", `/agents/${agent.agentId}/actions/${actionId}/approve`)).toMatchObject({
      status: 200,
    })
    await approved.awaits("approvals")
    await approved.leave()
  })

  it("ends on SIGTERM, and the process exits with code 0", async () => {
    await using world = await newWorld()
    const stream = await streamOf(world.server)
    world.server.terminate()
    expect(await stream.ended).toBe("ended")
    expect(await world.server.exited).toEqual({ code: 0, signal: null })
  })
})
