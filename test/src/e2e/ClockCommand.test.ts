/**
 * `countersign clock`, and how commands find a running server and sign in.
 * Source: D-458.
 */
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Command, type ServerWithCommands, serverWithCommands } from "./Commands.ts"
import { credentials } from "./Flow.ts"

describe("countersign clock", { timeout: 120_000 }, () => {
  let running: ServerWithCommands
  let folder: ServerWithCommands["folder"]
  let server: ServerWithCommands["server"]
  let command: Command
  beforeAll(async () => {
    running = await serverWithCommands()
    ;({ command, folder, server } = running)
  }, 60_000)
  afterAll(() => running[Symbol.asyncDispose]())

  it("shows the time of the server that uses the folder", async () => {
    const shown = await command(["clock", "show"])
    expect(shown).toMatchObject({ code: 0, stderr: "" })
    expect(shown.stdout).toMatch(/^now +\d{4}-\d\d-\d\dT[\d:.]+Z, .*real time\nnext due +nothing waits$/u)
  })

  it("advances by a duration and to a time", async () => {
    const before = JSON.parse((await command(["clock", "show", "--json"])).stdout)
    const advanced = await command(["clock", "advance", "1d12h", "--json"])
    expect(advanced.code).toBe(0)
    const answer = JSON.parse(advanced.stdout)
    expect(answer).toMatchObject({ isComplete: true, jobsLeft: { running: 0 } })
    expect(Date.parse(answer.target) - Date.parse(answer.startedAt)).toBe(129_600_000)
    const to = new Date(Date.parse(before.now) + 30 * 86_400_000).toISOString()
    expect((await command(["clock", "advance", "--to", to])).stdout).toContain(`to    ${to.slice(0, 10)}`)
    expect((await command(["clock", "show"])).stdout).toMatch(/29 days \d+ h \d+ min \d+ s ahead of real time/u)
  })

  it("refuses what is no duration, two targets, and a time that is past", async () => {
    expect(await command(["clock", "advance", "soon"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("like 90s, 5m, 1h30m or 40d"),
    })
    expect(await command(["clock", "advance"])).toMatchObject({ code: 2 })
    expect(await command(["clock", "advance", "5m", "--to", "2027-01-01T00:00:00Z"])).toMatchObject({ code: 2 })
    for (const to of ["yesterday", "2027-01-01", "2027-01-01T00:00:00", "2027-13-01T00:00:00Z"]) {
      expect(await command(["clock", "advance", "--to", to])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("--to takes a time with a time zone"),
      })
    }
    expect(await command(["clock", "advance", "--to", "2020-01-01T00:00:00Z"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("INVALID_INPUT"),
    })
  })

  it("says which server and which credentials are wrong, and never prints a secret", async () => {
    const absent = await command(["clock", "show", "--server", "http://127.0.0.1:1"])
    expect(absent).toMatchObject({ code: 7, stderr: expect.stringContaining("http://127.0.0.1:1/2025-10-13") })
    const wrong = await command(["clock", "show"], { COUNTERSIGN_CLIENT_SECRET: "not-the-secret" })
    expect(wrong).toMatchObject({ code: 8, stderr: expect.stringContaining("credentials of first") })
    const none = await command(["clock", "show", "--store", "pglite:elsewhere"])
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("COUNTERSIGN_CLIENT_ID") })
    for (const { stderr, stdout } of [absent, wrong, none]) {
      expect(`${stdout}${stderr}`).not.toContain(credentials.clientSecret)
      expect(`${stdout}${stderr}`).not.toContain("not-the-secret")
    }
  })

  it("remembers the address and the client id in the folder, and no secret", async () => {
    const remembered = await readFile(join(folder.path, ".countersign/server.json"), "utf8")
    expect(JSON.parse(remembered)).toEqual({
      server: server.base,
      clientId: credentials.clientId,
      serviceName: "Service",
    })
  })

  it("reads countersign.env of the working folder, which variables override", async () => {
    const settings = ["COUNTERSIGN_CLIENT_ID=nobody", `COUNTERSIGN_SERVER=${server.base}`].join("\n")
    await writeFile(join(folder.path, "countersign.env"), settings)
    expect(await command(["clock", "show"])).toMatchObject({ code: 8, stderr: expect.stringContaining("nobody") })
    expect(await command(["clock", "show"], { COUNTERSIGN_CLIENT_ID: "first" })).toMatchObject({ code: 0 })
    await writeFile(join(folder.path, "countersign.env"), "COUNTERSIGN_SERVERS=http://127.0.0.1:1\n")
    expect(await command(["clock", "show"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the nearest is COUNTERSIGN_SERVER"),
    })
    await writeFile(join(folder.path, "countersign.env"), "")
  })
})
