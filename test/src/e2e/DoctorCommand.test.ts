/**
 * `countersign doctor` finds what is wrong, and says what to do.
 * Source: D-459.
 */

import { once } from "node:events"
import { chmod, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { checkNode } from "../../../packages/cli/src/doctor/MachineChecks.ts"
import { basic, client } from "./Client.ts"
import { type Command, commandsIn, type ServerWithCommands, serverWithCommands } from "./Commands.ts"
import { credentialOptions, credentials } from "./Flow.ts"
import { newFolder } from "./Folder.ts"
import { receiver } from "./Receiver.ts"
import { startServer } from "./ServerProcess.ts"

interface Finding {
  readonly check: string
  readonly status: string
  readonly text: string
  readonly fix?: string
}

const found = (stdout: string, check: string): ReadonlyArray<Finding> => {
  const { findings }: { readonly findings: ReadonlyArray<Finding> } = JSON.parse(stdout)
  return findings.filter((finding) => finding.check === check)
}

it("refuses a version of Node that the packages do not run on", () => {
  expect(["24.21.0", "22.19.0", "22.18.9", "20.19.0"].map((version) => checkNode(version).status)).toEqual([
    "ok",
    "ok",
    "problem",
    "problem",
  ])
})

describe("countersign doctor", { timeout: 120_000 }, () => {
  let running: ServerWithCommands
  let folder: ServerWithCommands["folder"]
  let server: ServerWithCommands["server"]
  let command: Command
  beforeAll(async () => {
    running = await serverWithCommands()
    ;({ command, folder, server } = running)
  }, 60_000)
  afterAll(() => running[Symbol.asyncDispose]())
  const port = () => String(server.port)

  it("finds nothing wrong with a running sandbox but a missing endpoint", async () => {
    const { code, stdout } = await command(["doctor", "--port", port(), "--json"])
    expect([code, JSON.parse(stdout).problems]).toEqual([0, 0])
    expect(found(stdout, "port")).toMatchObject([{ status: "ok", text: expect.stringContaining("running server") }])
    expect(found(stdout, "store")).toMatchObject([{ status: "ok", text: expect.stringContaining("in use by process") }])
    expect(found(stdout, "permissions")).toMatchObject([{ status: "ok" }])
    expect(found(stdout, "credentials")).toMatchObject([{ status: "ok", text: "first is signed in" }])
    expect(found(stdout, "webhook")).toMatchObject([
      { status: "warning", fix: expect.stringContaining("PATCH /config") },
    ])
    expect(found(stdout, "time")).toMatchObject([{ status: "ok" }])
  })

  it("sends a test event to the endpoint, and shows a refusal and a clock that is ahead", async () => {
    const platform = client(server.base, basic(credentials.clientId, credentials.clientSecret))
    const endpoint = await receiver()
    await platform("PATCH", "/config", { body: { webhookEndpoint: endpoint.url } })
    expect(found((await command(["doctor", "--json"])).stdout, "webhook")).toMatchObject([{ status: "ok" }])
    await endpoint[Symbol.asyncDispose]()
    await platform("POST", "/sandbox/clock/advance", { body: { by: "P2DT5M" } })
    const { code, stderr, stdout } = await command(["doctor"])
    expect([code, stderr]).toEqual([1, expect.stringContaining("1 problem")])
    expect(stdout).toMatch(/^problem {3}webhook .*\n +do: start the receiver/mu)
    expect(stdout).toMatch(/^warning {3}clock .*2 days 0 h \d+ min \d+ s ahead/mu)
    expect(stdout).not.toContain("\u001b")
  })

  it("names unknown variables, wrong options, wrong credentials, a port in use and readable secrets at once", async () => {
    const other = createServer((_, response) => response.end("another program")).listen(0, "127.0.0.1")
    await once(other, "listening")
    const { port: taken } = other.address() as AddressInfo
    await chmod(join(folder.path, ".countersign/webhook-key.pem"), 0o644)
    const { code, stdout } = await command(
      ["doctor", "--json", "--port", String(taken), "--role", "worker", "--public-url", "http://127.0.0.1:1"],
      { COUNTERSIGN_PROT: "1", COUNTERSIGN_CLIENT_SECRET: "not-the-secret" },
    )
    other.close()
    await chmod(join(folder.path, ".countersign/webhook-key.pem"), 0o600)
    expect(code).toBe(1)
    expect(found(stdout, "variables")).toMatchObject([
      { status: "problem", text: expect.stringContaining("COUNTERSIGN_PORT") },
    ])
    expect(found(stdout, "options")).toMatchObject([
      { status: "problem", text: expect.stringContaining("--role worker") },
    ])
    expect(found(stdout, "port")).toMatchObject([
      { status: "problem", text: expect.stringContaining("another program") },
    ])
    expect(found(stdout, "permissions")).toMatchObject([
      { status: "problem", fix: expect.stringContaining("chmod 600") },
    ])
    expect(found(stdout, "public URL")).toMatchObject([{ status: "problem" }])
    expect(found(stdout, "credentials")).toMatchObject([{ status: "problem" }])
    expect(stdout).not.toContain("not-the-secret")
  })

  it("says what the first start will do, and where it cannot", async () => {
    const first = await command(["doctor", "--json", "--store", "pglite:new/store", "--server", "http://127.0.0.1:1"])
    expect(first.code).toBe(0)
    expect(found(first.stdout, "store")).toMatchObject([
      { status: "ok", text: expect.stringContaining("first start creates") },
    ])
    expect(found(first.stdout, "credentials")).toMatchObject([
      { status: "warning", text: expect.stringContaining("COUNTERSIGN_CLIENT_ID") },
    ])
    const absent = await command(["doctor", "--json", "--store", "postgres://owner:its-password@127.0.0.1:1/none"])
    expect(absent.code).toBe(1)
    expect(found(absent.stdout, "store")).toMatchObject([
      { status: "problem", text: expect.stringContaining("no server listens there") },
    ])
    expect(absent.stdout).not.toContain("its-password")
    await writeFile(join(folder.path, "file"), "")
    const blocked = await command(["doctor", "--json", "--store", "pglite:file"])
    expect(found(blocked.stdout, "store")).toMatchObject([{ status: "problem" }])
  })

  it("reads the schema of a folder that no server uses", async () => {
    await using stopped = await newFolder()
    await using once = await startServer({ cwd: stopped.path, options: credentialOptions })
    once.terminate()
    await once.exited
    const { stdout } = await commandsIn(stopped.path)(["doctor", "--json"])
    expect(found(stdout, "schema")).toMatchObject([
      { status: "ok", text: expect.stringContaining("that of this release") },
    ])
    expect(found(stdout, "server")).toMatchObject([
      { status: "skipped", text: expect.stringContaining("countersign serve") },
    ])
  })
})
