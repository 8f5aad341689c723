/** Which server a command talks to, and what it says of a refusal. Source: D-458. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ApiError } from "@countersign/client"
import { Effect, Option, Redacted } from "effect"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { readRememberedServer, rememberServer } from "../../../packages/cli/src/remote/RememberedServer.ts"
import { remoteServer } from "../../../packages/cli/src/remote/RemoteServer.ts"
import { secret, some } from "./ServeOptionsOf.ts"

const none = Option.none()
const options = {
  server: some("https://pay.example.com"),
  clientId: some("first"),
  clientSecret: secret("s:1"),
  serviceName: none,
  store: "memory",
}
const base = "https://pay.example.com/2025-10-13"

type Options = Parameters<typeof remoteServer>[0]
const found = (changes: Partial<Options> = {}) => Effect.runPromise(remoteServer({ ...options, ...changes }))
const refused = (changes: Partial<Options>) =>
  Effect.runPromise(Effect.flip(remoteServer({ ...options, ...changes }))).then(({ message, reason }) => [
    reason,
    message,
  ])

let folder = ""
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-remembered-"))
})
afterEach(() => {
  vi.unstubAllEnvs()
})
afterAll(() => rm(folder, { recursive: true }))

describe("the server of a command", () => {
  it.each([
    ["https://pay.example.com", base],
    ["https://pay.example.com/", base],
    ["https://pay.example.com/v1", "https://pay.example.com/v1"],
    ["https://pay.example.com/v1//", "https://pay.example.com/v1"],
  ])("at %s has the base address %s", async (server, address) => {
    expect((await found({ server: some(server) })).base).toBe(address)
  })

  it.each([
    [undefined, "8787"],
    ["9000", "9000"],
    ["65535", "65535"],
    ["0", "8787"],
    ["09000", "8787"],
    ["123456", "8787"],
    ["x", "8787"],
  ])("is on this machine without an option, with the port %s at %s", async (variable, port) => {
    vi.stubEnv("COUNTERSIGN_PORT", variable)
    expect((await found({ server: none })).base).toBe(`http://127.0.0.1:${port}/2025-10-13`)
  })

  it("has the credentials and the name of the options", async () => {
    const server = await found({ serviceName: some("Acme") })
    expect([server.clientId, server.serviceName]).toEqual(["first", "Acme"])
    expect(Redacted.value(server.authorization)).toBe(`Basic ${btoa("first:s:1")}`)
    expect((await found()).serviceName).toBe("Service")
  })

  it.each<readonly [missing: string, changes: Partial<Options>]>([
    ["COUNTERSIGN_CLIENT_SECRET", { clientSecret: none }],
    ["COUNTERSIGN_CLIENT_ID or --client-id", { clientId: none }],
    ["COUNTERSIGN_CLIENT_ID or --client-id and COUNTERSIGN_CLIENT_SECRET", { clientId: none, clientSecret: none }],
  ])("needs %s", async (missing, changes) => {
    expect(await refused(changes)).toEqual(["usage", `credentials for ${base} are missing: set ${missing}`])
  })

  it("needs a store that is one", async () => {
    expect((await refused({ store: "x" }))[0]).toBe("usage")
  })
})

describe("the server that a folder remembers", () => {
  const remembered = { server: "http://127.0.0.1:1/v1", clientId: "stored", serviceName: "Acme" }
  const store = () => `pglite:${folder}`

  it("is found by commands without options, which come first", async () => {
    await rememberServer({ _tag: "Folder", folder }, remembered)
    const server = await found({ store: store(), server: none, clientId: none })
    expect([server.base, server.clientId, server.serviceName]).toEqual([remembered.server, "stored", "Acme"])
    const given = await found({ store: store(), serviceName: some("Other") })
    expect([given.base, given.clientId, given.serviceName]).toEqual([base, "first", "Other"])
  })

  it("does not exist in memory, nor in a file that cannot be read", async () => {
    await rememberServer({ _tag: "Memory" }, remembered)
    expect(await readRememberedServer({ _tag: "Memory" })).toBeUndefined()
    await writeFile(join(folder, "server.json"), '{"server":1}')
    expect(await readRememberedServer({ _tag: "Folder", folder })).toBeUndefined()
    expect(await readRememberedServer({ _tag: "Folder", folder: join(folder, "nowhere") })).toBeUndefined()
  })
})

describe("the error of a request", () => {
  const apiError = (status: number, more: object = {}) =>
    new ApiError({ status, code: "CONFLICT", message: "It exists.", ...more }, new Headers())
  const noServer = (cause: string) =>
    `no server answers at ${base} (${cause}): start it with \`countersign serve\`, or name another with --server`
  const timeout = Object.assign(new Error("it took too long"), { name: "TimeoutError" })
  const reset = new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNREFUSED" }) })

  it.each<readonly [reason: string, message: string, error: unknown]>([
    ["access", `${base} refuses the credentials of first: CONFLICT: It exists.`, apiError(401)],
    ["access", `${base} does not permit this to first: PAUSED: It exists.`, apiError(403, { reason: "PAUSED" })],
    ["negative", "CONFLICT: It exists.", apiError(409)],
    ["negative", "TWICE: It exists.", apiError(409, { details: { reason: "TWICE" } })],
    ["negative", "FIRST: It exists.", apiError(409, { reason: "FIRST", details: { reason: "TWICE" } })],
    ["negative", "CONFLICT: It exists.", apiError(409, { details: { reason: 5 } })],
    ["negative", "It exists.", apiError(409, { reason: "It exists." })],
    ["negative", "CONFLICT: It exists.", apiError(499)],
    ["server", `${base} answered 500: CONFLICT: It exists.`, apiError(500)],
    ["negative", "CONFLICT: It exists.", apiError(501)],
    ["server", `${base} answered 503: CONFLICT: It exists.`, apiError(503)],
    ["server", noServer("ECONNREFUSED"), reset],
    ["server", noServer("fetch failed"), new TypeError("fetch failed")],
    ["server", noServer("it took too long"), timeout],
    ["server", noServer("unknown"), "nothing"],
    ["negative", "the step failed", new Error("the step failed")],
  ])("is of the reason %s: %s", async (reason, message, error) => {
    expect((await found()).toError(error)).toMatchObject({ reason, message })
  })

  it("is that of the request that was called", async () => {
    const { call } = await found()
    expect(await Effect.runPromise(call(async () => 5))).toBe(5)
    const failed = await Effect.runPromise(Effect.flip(call(() => Promise.reject(apiError(409)))))
    expect(failed).toMatchObject({ reason: "negative", message: "CONFLICT: It exists." })
  })
})
