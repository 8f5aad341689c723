/**
 * `countersign jobs` and `countersign keys` on a running server.
 * Source: D-354, D-458.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Command, commandsIn } from "./Commands.ts"
import { credentialOptions } from "./Flow.ts"
import { type Folder, newFolder } from "./Folder.ts"
import { newDatabase, type ServerDatabase } from "./ServerDatabase.ts"
import { type ServerProcess, startServer } from "./ServerProcess.ts"

describe("a running server", { timeout: 120_000 }, () => {
  let database: ServerDatabase
  let folder: Folder
  let server: ServerProcess
  let command: Command
  beforeAll(async () => {
    database = await newDatabase()
    folder = await newFolder()
    server = await startServer({ options: [...database.options, ...credentialOptions, "--role", "api"] })
    const inFolder = commandsIn(folder.path)
    const env = { COUNTERSIGN_SERVER: server.base, COUNTERSIGN_CLIENT_ID: "first" }
    command = (words) => inFolder(words, env)
  }, 60_000)
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  it("lists, resumes and drops the parked jobs of the platform", async () => {
    expect(await command(["jobs", "list"])).toMatchObject({ code: 0, stdout: "no job is parked" })
    const [first = "", second = ""] = [1, 2].map((n) => `Job:00000000-0000-7000-8000-00000000000${n}`)
    const { rows } = await database.pool.query<{ readonly platform: string }>(
      "select platform_id as platform from countersign.platform",
    )
    for (const id of [first, second]) {
      await database.pool.query(
        `insert into countersign.job (owner_id, platform_id, id, queue, kind, due_at, payload, state, attempt, error, open, holds)
         values ($1, $1, $2, 'webhook', 'webhook.deliver', 0, '{"eventId":"none"}', 'parked', 9, 'no answer', true, false)`,
        [rows[0]?.platform, id],
      )
    }
    const listed = await command(["jobs", "list", "--json"])
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { id: first, error: "no answer" },
      { id: second, attempts: 9 },
    ])
    expect(await command(["jobs", "resume", first])).toMatchObject({
      code: 0,
      stdout: `resumed ${first} (webhook.deliver)`,
    })
    expect(await command(["jobs", "drop", second])).toMatchObject({
      code: 0,
      stdout: `dropped ${second} (webhook.deliver)`,
    })
    expect(await command(["jobs", "drop", second])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("parked job"),
    })
  })

  it("lists and rotates the keys that sign webhooks", async () => {
    const before = JSON.parse((await command(["keys", "list", "--json"])).stdout)
    expect(before.data).toHaveLength(1)
    const rotated = await command(["keys", "rotate", "--overlap-seconds", "3600"])
    expect(rotated.code).toBe(0)
    expect(rotated.stdout.split("\n")).toHaveLength(3)
    const { data } = JSON.parse((await command(["keys", "list", "--json"])).stdout)
    expect(data).toMatchObject([{ id: expect.any(String) }, { id: before.data[0].id, retiresAt: expect.any(String) }])
    expect(await command(["keys", "rotate", "--overlap-seconds", "99999999"])).toMatchObject({ code: 1 })
  })
})
