/** The processes of the manifests, started with their arguments and variables on a database of the tests. Source: D-542. */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { newDatabase, type ServerDatabase } from "../e2e/ServerDatabase.ts"
import { run, startServer } from "../e2e/ServerProcess.ts"
import { type Container, named, processes } from "./Manifests.ts"

let database: ServerDatabase
beforeAll(async () => {
  database = await newDatabase()
}, 60_000)
afterAll(() => database[Symbol.asyncDispose]())

const secret = () => randomBytes(32).toString("hex")

/** The keys of the Secret `countersign-secrets`, as the guide creates it. */
const secrets = {
  COUNTERSIGN_CLIENT_ID: "platform",
  COUNTERSIGN_CLIENT_SECRET: secret(),
  COUNTERSIGN_WALLET_SECRET: secret(),
  COUNTERSIGN_WEBHOOK_KEY: generateKeyPairSync("ec", { namedCurve: "P-256" })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString(),
  COUNTERSIGN_PORTS_SECRET: secret(),
}

/** The variables of a container; the addresses of the database are those of the tests. */
const environment = () => ({
  ...named("ConfigMap", "countersign-settings").data,
  ...secrets,
  COUNTERSIGN_STORE: database.url,
  COUNTERSIGN_STORE_DIRECT: database.url,
})

const containerOf = (name: string): Container => {
  const found = processes.find((workload) => workload.name === name)
  if (found === undefined) throw new Error(`${name} does not exist`)
  return found.container
}

/** The arguments after the command, on this machine alone and on a free port. */
const optionsOf = (name: string): ReadonlyArray<string> => {
  const [, ...words] = containerOf(name).args ?? []
  const at = words.indexOf("--port")
  const local = words.map((word) => (word === "0.0.0.0" ? "127.0.0.1" : word))
  return at < 0 ? local : local.filter((_, index) => index !== at && index !== at + 1)
}

describe("the processes of the manifests", { timeout: 240_000 }, () => {
  it("do not start before the job has migrated, which ends with code 0", async () => {
    await using early = run({ options: [...optionsOf("countersign-api")], env: environment() })
    expect(await early.exited).toEqual({ code: 6, signal: null })
    await using job = run({ command: "migrate", options: optionsOf("countersign-migrate"), env: environment() })
    expect([await job.exited, job.stderr()]).toEqual([{ code: 0, signal: null }, ""])
    expect(JSON.parse(job.stdout())).toMatchObject({ before: null, now: expect.any(Number) })
  })

  it.each(["countersign-api", "countersign-worker"])(
    "%s answers its probes, and ends by SIGTERM with code 0",
    async (name) => {
      await using server = await startServer({ options: optionsOf(name), env: environment() })
      const { livenessProbe, readinessProbe, startupProbe } = containerOf(name)
      for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
        expect((await fetch(`${server.origin}${probe?.httpGet?.path}`)).status).toBe(200)
      }
      expect((await fetch(`${server.origin}/metrics`)).status).toBe(200)
      server.terminate()
      expect(await server.exited).toEqual({ code: 0, signal: null })
      for (const each of Object.values(secrets).slice(1)) expect(server.stdout() + server.stderr()).not.toContain(each)
    },
  )

  it("do not start with a variable that a Service of the namespace would set", async () => {
    const env = { ...environment(), COUNTERSIGN_API_PORT: "tcp://192.0.2.1:80" }
    await using server = run({ options: optionsOf("countersign-api"), env })
    expect(await server.exited).toEqual({ code: 2, signal: null })
    expect(server.stderr() + server.stdout()).toContain("COUNTERSIGN_API_PORT is not a variable")
  })
})
