/**
 * `countersign init` writes a folder whose sandbox and example run unchanged.
 * Source: D-458.
 */
import { execFile } from "node:child_process"
import { readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it, vi } from "vitest"
import { commandsIn } from "./Commands.ts"
import { newFolder } from "./Folder.ts"
import { inProcess } from "./InProcess.ts"
import { binaries, startServer } from "./ServerProcess.ts"

const textOf = (folder: string, name: string) => readFile(join(folder, name), "utf8")

it("writes settings, credentials and an example that runs unchanged", { timeout: 120_000 }, async () => {
  await using folder = await newFolder()
  const made = join(folder.path, "payments")
  const written = await commandsIn(folder.path)(["init", "payments"])
  expect(written).toMatchObject({ code: 0, stdout: expect.stringContaining("cd payments") })
  const settings = await textOf(made, "countersign.env")
  const secret = /^COUNTERSIGN_CLIENT_SECRET=([0-9a-f]{64})$/mu.exec(settings)?.[1] ?? "none"
  expect(written.stdout).not.toContain(secret)
  expect((await stat(join(made, "countersign.env"))).mode & 0o077).toBe(0)
  expect((await textOf(made, ".gitignore")).split("\n")).toContain("countersign.env")

  // The server takes a free port in place of the file's, and the example finds it there.
  await using server = await startServer({ cwd: made })
  expect(server.printed("client id")).toBe(/^COUNTERSIGN_CLIENT_ID=(.*)$/mu.exec(settings)?.[1])
  const example = async (env: Readonly<Record<string, string>> = {}) => {
    const { stdout } = await promisify(execFile)(`${binaries}/node`, ["--env-file=countersign.env", "example.mjs"], {
      cwd: made,
      env: { ...process.env, ...env },
    })
    return stdout.trim().split("\n")
  }
  const lines = [
    "the agent asked for 200.00: PENDING_APPROVAL",
    "the platform decided: APPROVED",
    "the balance is 200 USD",
  ]
  expect(await example()).toEqual(lines)
  // A server with its state elsewhere leaves no address in the folder.
  await rm(join(made, ".countersign/server.json"))
  await expect(example({ COUNTERSIGN_PORT: "1" })).rejects.toThrow("fetch failed")
  expect(await example({ COUNTERSIGN_PORT: String(server.port) })).toEqual(lines)
  expect(await example({ COUNTERSIGN_PORT: "1", COUNTERSIGN_SERVER: server.origin })).toEqual(lines)
  const settingsOfPort = {
    COUNTERSIGN_PORT: String(server.port),
    COUNTERSIGN_CLIENT_ID: server.printed("client id") ?? "",
  }
  expect(
    await commandsIn(made)(["clock", "show"], { ...settingsOfPort, COUNTERSIGN_CLIENT_SECRET: secret }),
  ).toMatchObject({
    code: 0,
  })
})

it("replaces no file, and writes none if one exists", { timeout: 120_000 }, async () => {
  await using folder = await newFolder()
  const command = commandsIn(folder.path)
  expect((await command(["init", "--port", "9000", "--json"])).code).toBe(0)
  const before = await textOf(folder.path, "countersign.env")
  expect(before).toContain("COUNTERSIGN_PORT=9000")
  expect(before).not.toContain("COUNTERSIGN_SERVER")
  expect(await command(["init"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("countersign.env, example.mjs"),
  })
  expect(await textOf(folder.path, "countersign.env")).toBe(before)
})

it("names the package in its scope when npx runs it", async () => {
  await using folder = await newFolder()
  const written = async (name: string, npmCommand: string) => {
    vi.stubEnv("npm_command", npmCommand)
    return (await inProcess(["init", join(folder.path, name)])).stdout
  }
  const byNpx = await written("a", "exec")
  expect(byNpx).toMatch(/^ {2}npx @countersign\/cli serve {2,}starts/mu)
  expect(byNpx).toMatch(/^ {2}npx @countersign\/cli doctor {2,}checks/mu)
  expect(await written("b", "run-script")).toMatch(/^ {2}countersign serve {2,}starts/mu)
  vi.unstubAllEnvs()
})
