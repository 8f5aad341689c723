/** `countersign init`: the options that it accepts together, and the next steps that it prints. Source: D-458, D-534. */
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { inProcess } from "../e2e/InProcess.ts"

let parent = ""
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "countersign-init-"))
  vi.stubEnv("npm_command", undefined)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(parent, { recursive: true })
})

const made = () => join(parent, "made")
const init = (...words: ReadonlyArray<string>) => inProcess(["init", made(), ...words])
const settings = async () => parseEnv(await readFile(join(made(), "countersign.env"), "utf8"))

describe("options", () => {
  const together = "--bank and --store need --live: a sandbox has its bank and its store itself"
  it.each<readonly [message: string, words: ReadonlyArray<string>]>([
    [together, ["--bank", "none"]],
    [together, ["--store", "postgres://a@b/c"]],
    ["--store takes postgres://USER@HOST/DATABASE", ["--live", "--store", "memory"]],
    ["--store takes postgres://USER@HOST/DATABASE", ["--live", "--store", "pglite:a"]],
    ["--store takes postgres://USER@HOST/DATABASE", ["--live", "--store", "postgres://a'b@c/d"]],
    ["--port", ["--port", "0"]],
    ["--port", ["--port", "65536"]],
    ["--bank", ["--live", "--bank", "paper"]],
  ])("are refused, and no folder is made: %s with %j", async (message, words) => {
    const { code, stderr } = await init(...words)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(await readdir(parent)).toEqual([])
  })

  it.each(["1", "65535"])("may name the port %s", async (port) => {
    expect((await init("--port", port)).code).toBe(0)
    expect((await settings())["COUNTERSIGN_PORT"]).toBe(port)
  })
})

describe("a sandbox", () => {
  it("has settings, an example and new credentials, and says what comes next", async () => {
    const { code, stdout } = await init()
    expect(code).toBe(0)
    const step = (command: string, does: string) => `  ${command.padEnd(43)}   ${does}`
    expect(stdout.split("\n")).toEqual([
      `wrote countersign.env, example.mjs, .gitignore in ${made()}`,
      "",
      `  cd ${made()}`,
      step("countersign serve", "starts the sandbox with these credentials"),
      step("node --env-file=countersign.env example.mjs", "runs the example, in another terminal"),
      step("countersign doctor", "checks everything"),
    ])
    expect(await settings()).toEqual({
      COUNTERSIGN_PORT: "8787",
      COUNTERSIGN_CLIENT_ID: expect.stringMatching(/^[0-9a-f]{16}$/u),
      COUNTERSIGN_CLIENT_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/u),
    })
    expect((await stat(join(made(), "countersign.env"))).mode & 0o777).toBe(0o600)
    expect(await readFile(join(made(), ".gitignore"), "utf8")).toBe("countersign.env\n.countersign/\n")
  })

  it("with --json names the folder and its files, and no secret", async () => {
    const { stdout } = await init("--json")
    expect(JSON.parse(stdout)).toEqual({ folder: made(), files: ["countersign.env", "example.mjs", ".gitignore"] })
  })
})

describe("a live deployment", () => {
  it.each<readonly [words: ReadonlyArray<string>, hasBank: boolean, ports: string | undefined]>([
    [[], true, "http://127.0.0.1:8788"],
    [["--bank", "typescript"], true, "http://127.0.0.1:8788"],
    [["--bank", "python"], true, "http://127.0.0.1:8788"],
    [["--bank", "files"], false, undefined],
    [["--bank", "none"], false, undefined],
  ])("with %j says whether a bank is to be started: %s", async (words, hasBank, ports) => {
    const { code, stdout } = await init("--live", ...words)
    expect(code).toBe(0)
    const commands = stdout.split("\n").flatMap((line) => /^ {2}(npm [\w ]+?) {3}/u.exec(line)?.[1] ?? [])
    const bank = hasBank ? ["npm run bank"] : []
    expect(commands).toEqual(["npm install", "npm run migrate", ...bank, "npm start", "npm run doctor", "npm run pay"])
    expect(await settings()).toMatchObject({ COUNTERSIGN_STORE: "postgres://countersign@localhost/countersign" })
    expect((await settings())["COUNTERSIGN_PORTS_URL"]).toBe(ports)
  })

  it("has the store and the port of the options", async () => {
    await init("--live", "--store", "postgres://a@b.example/c", "--port", "9000")
    expect(await settings()).toMatchObject({ COUNTERSIGN_STORE: "postgres://a@b.example/c", COUNTERSIGN_PORT: "9000" })
  })
})
