/**
 * An unusable store ends the start with exit code 3 or 6 and one line without a password, and makes `/readyz` answer 503 later.
 * A start or `migrate` migrates the schema; `--migrate check` only checks it; a newer schema is refused.
 */

import { writeFile } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import pg from "pg"
import { describe, expect, it } from "vitest"
import { fatal } from "../faults/Messages.ts"
import { basic, client } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import { credentialOptions, credentials } from "./Flow.ts"
import { newFolder } from "./Folder.ts"
import { newDatabase, type ServerDatabase, urlOfDatabase } from "./ServerDatabase.ts"
import { run, startServer } from "./ServerProcess.ts"

/** Expects the exit code, and returns the one line of the error. */
const refusal = async (command: "serve" | "migrate", options: ReadonlyArray<string>, code = 3): Promise<string> => {
  await using process = run({ command, options: command === "serve" ? ["--port", "0", ...options] : options })
  expect(await process.exited).toEqual({ code, signal: null })
  expect(process.stdout()).toBe("")
  // A slow start prints a notice first.
  const lines = process.stderr().trim().split("\n")
  const errors = lines.filter((line) => line !== "" && line !== "ERROR" && !line.startsWith("opening "))
  expect(errors).toHaveLength(1)
  return errors.join("").trim()
}

/** An `Authentication` message: 10 offers mechanisms of SASL, 11 continues. */
const authentication = (type: number, text: string): Buffer => {
  const body = Buffer.from(text)
  const message = Buffer.alloc(9 + body.length)
  message.write("R")
  message.writeInt32BE(8 + body.length, 1)
  message.writeInt32BE(type, 5)
  body.copy(message, 9)
  return message
}

/** A server that answers each message of a new session with the next of these. */
const answeringServer = async (answers: ReadonlyArray<Buffer>) => {
  const server = createServer((socket) => {
    const left = [...answers]
    socket.on("error", () => undefined)
    socket.on("data", () => {
      const next = left.shift()
      if (next === undefined) socket.end()
      else socket.write(next)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { port, [Symbol.asyncDispose]: async () => void server.close() }
}

/** A server that answers every new session with an error of this code. */
const refusingServer = (code: string) =>
  answeringServer([fatal(code, 'password authentication failed for user "owner"')])

const migrate = async (
  { options }: Pick<ServerDatabase, "options">,
  ...more: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  await using process = run({ command: "migrate", options: [...options, ...more] })
  expect(await process.exited).toEqual({ code: 0, signal: null })
  return process.stdout().trimEnd().split("\n")
}

describe("the error of a store that cannot be used", { timeout: 120_000 }, () => {
  it("names a server that does not listen", async () => {
    const at = "127.0.0.1:1/payments"
    for (const command of ["serve", "migrate"] as const) {
      expect(await refusal(command, ["--store", `postgres://owner:its-password@${at}?password=its-password`])).toBe(
        `cannot use postgres://owner@${at}: connection refused: no server listens there`,
      )
    }
  })

  it("names an unknown host", async () => {
    expect(await refusal("serve", ["--store", "postgresql://owner:its-password@nowhere.invalid/payments"])).toMatch(
      /^cannot use postgresql:\/\/owner@nowhere\.invalid\/payments: (?:there is no such host|the host's name cannot)/u,
    )
  })

  it("names a wrong password", async () => {
    await using server = await refusingServer("28P01")
    const at = `127.0.0.1:${server.port}/payments`
    expect(await refusal("serve", ["--store", `postgres://owner:its-password@${at}`])).toBe(
      `cannot use postgres://owner@${at}: the user or the password is wrong`,
    )
  })

  it("names the variable of a password that the server asks for, and nobody gave", async () => {
    await using server = await answeringServer([
      authentication(10, "SCRAM-SHA-256\0\0"),
      authentication(11, "r=nonce,s=c2FsdA==,i=4096"),
    ])
    const at = `127.0.0.1:${server.port}/payments`
    expect(await refusal("migrate", ["--store", `postgres://owner@${at}`])).toBe(
      `cannot use postgres://owner@${at}: the server asks for a password: give it in PGPASSWORD`,
    )
  })

  it("names a database that does not exist", async () => {
    await using database = await newDatabase()
    const message = await refusal("serve", ["--store", urlOfDatabase(database.url, "not_there")])
    expect(message).toMatch(/^cannot use postgres\S+\/not_there: there is no such database$/u)
  })

  it("names a folder that is a file", async () => {
    await using folder = await newFolder()
    const path = join(folder.path, "file")
    await writeFile(path, "")
    expect(await refusal("serve", ["--store", `pglite:${path}`])).toMatch(new RegExp(`^${path} cannot be used: `, "u"))
  })
})

describe("the schema", { timeout: 120_000 }, () => {
  it("is migrated by `migrate`, which prints both versions, and then passes the check of a start", async () => {
    await using database = await newDatabase()
    expect(await refusal("serve", [...database.options, "--migrate", "check"], 6)).toMatch(/: migrate it$/u)
    const [store, before, now] = await migrate(database)
    expect(store).toMatch(/^store {10}postgres/u)
    expect(before).toBe("schema before  none")
    expect(now).toMatch(/^schema now {5}\d+$/u)
    expect((await migrate(database)).at(-1)).toBe(`${now}, unchanged`)
    await using server = await startServer({
      options: [...credentialOptions, ...database.options, "--migrate", "check"],
    })
    expect((await client(server.origin)("GET", "/readyz")).status).toBe(200)
  })

  it("loses the functions of other releases only with --contract", async () => {
    await using database = await newDatabase()
    await migrate(database)
    await database.pool.query("create function countersign.claim_jobs_000000000000() returns int return 1")
    expect((await migrate(database)).join()).not.toContain("removed")
    expect((await migrate(database, "--contract")).at(-1)).toBe("removed        1 functions of other releases")
    expect((await migrate(database, "--contract")).at(-1)).toBe("removed        0 functions of other releases")
  })

  it("is migrated in a folder, too", async () => {
    await using folder = await newFolder()
    const options = ["--store", `pglite:${folder.path}`]
    expect(await migrate({ options })).toEqual([
      `store          ${folder.path}`,
      "schema before  none",
      expect.stringMatching(/^schema now {5}\d+$/u),
    ])
  })

  it("is refused and left unchanged when it is newer", async () => {
    await using database = await newDatabase()
    await migrate(database)
    await database.pool.query(
      "insert into countersign.schema_version (version, name, checksum) values (999, 'of the future', 'x')",
    )
    for (const [command, options] of [
      ["serve", database.options],
      ["serve", [...database.options, "--migrate", "check"]],
      ["migrate", database.options],
    ] as const) {
      expect(await refusal(command, options, 6)).toMatch(/: the database has schema 999, and this release knows \d+/u)
    }
    const { rows } = await database.pool.query("select max(version) as version from countersign.schema_version")
    expect(rows).toEqual([{ version: 999 }])
  })
})

describe("readiness", { timeout: 120_000 }, () => {
  it("fails with the database, and recovers with it", async () => {
    await using database = await newDatabase()
    await using server = await startServer({ options: [...credentialOptions, ...database.options] })
    const ask = client(server.origin)
    const platform = client(server.base, basic(credentials.clientId, credentials.clientSecret))
    const name = new URL(database.url).pathname.slice(1)
    const outside = new pg.Client({ connectionString: urlOfDatabase(database.url, "postgres") })
    await outside.connect()
    try {
      await outside.query(`alter database ${name} allow_connections false`)
      await outside.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name])
      const unready = await eventually(
        "unready",
        () => ask("GET", "/readyz"),
        ({ status }) => status === 503,
      )
      expect([unready.body, unready.headers.get("retry-after")]).toEqual([{ status: "unavailable" }, "1"])
      expect(await platform("GET", "/config")).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } })
      expect((await ask("GET", "/healthz")).status).toBe(200)
      await outside.query(`alter database ${name} allow_connections true`)
      await eventually(
        "ready again",
        () => ask("GET", "/readyz"),
        ({ status }) => status === 200,
      )
      expect((await platform("GET", "/config")).status).toBe(200)
    } finally {
      await outside.end()
    }
  })
})
