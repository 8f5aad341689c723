/**
 * `countersign migrate` and `countersign serve` with `--json`, for programs that start them.
 * Source: D-482.
 */
import { expect, it } from "vitest"
import { basic, client } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import { newDatabase } from "./ServerDatabase.ts"
import { run } from "./ServerProcess.ts"

const linesOf = (stdout: string): ReadonlyArray<Record<string, unknown>> =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

it("prints an object a line: the versions, the warnings, the start and the stop", { timeout: 180_000 }, async () => {
  await using database = await newDatabase()
  await using migrating = run({ command: "migrate", options: [...database.options, "--json"] })
  expect((await migrating.exited).code).toBe(0)
  const { now, ...migrated } = JSON.parse(migrating.stdout())
  expect(migrated).toEqual({ store: expect.stringContaining("/"), before: null, cells: 1 })
  expect(now).toBeGreaterThan(0)

  await using server = run({ command: "serve", options: ["--port", "0", "--json", ...database.options] })
  const ready = await eventually(
    "the ready line",
    () => linesOf(server.stdout()).find(({ kind }) => kind === "READY"),
    (found) => found !== undefined,
    90_000,
  )
  expect(ready).toMatchObject({
    server: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/2025-10-13$/u),
    mode: "sandbox",
    role: "all",
    clientSecretIs: "generated",
    otherClientIds: [],
    offersCredentials: true,
    webhookKey: expect.stringContaining("PUBLIC KEY"),
  })
  const { clientId, clientSecret, server: base } = ready ?? {}
  const platform = client(String(base), basic(String(clientId), String(clientSecret)))
  expect((await platform("GET", "/config")).status).toBe(200)
  const warnings = linesOf(server.stdout()).filter(({ kind }) => kind === "WARNING")
  expect(warnings).toEqual([
    { kind: "WARNING", message: expect.stringContaining("--webhook-key") },
    { kind: "WARNING", message: expect.stringContaining("--wallet-secret") },
  ])

  server.terminate()
  expect((await server.exited).code).toBe(0)
  expect(linesOf(server.stdout()).at(-1)).toEqual({ kind: "STOPPED" })
  expect(linesOf(server.stdout()).filter(({ kind }) => kind === "READY")).toHaveLength(1)

  // A secret that this start did not generate is in no line.
  const secret = "given-secret-of-thirty-two-characters"
  await using again = run({
    command: "serve",
    options: ["--port", "0", "--json", "--console", "off", ...database.options, "--client-id", String(clientId)],
    env: { COUNTERSIGN_CLIENT_SECRET: secret },
  })
  const second = await eventually(
    "the second ready line",
    () => linesOf(again.stdout()).find(({ kind }) => kind === "READY"),
    (found) => found !== undefined,
    90_000,
  )
  expect(second).toMatchObject({ clientId, clientSecretIs: "given" })
  expect(second).not.toHaveProperty("console")
  expect(again.stdout()).not.toContain(secret)
})
