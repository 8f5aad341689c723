/**
 * Unsafe starts of the real command: each is refused with the exit code of its reason, all problems are listed at once, and no output
 * contains a secret.
 * Source: D-340, D-341, D-342.
 */
import { randomBytes } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { ExitCodes } from "../../../packages/cli/src/ExitCodes.ts"
import { credentialOptions } from "../e2e/Flow.ts"
import { newFolder } from "../e2e/Folder.ts"
import { run, type StartOptions, startServer } from "../e2e/ServerProcess.ts"

const portsFile = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const ownPorts = ["--mode", "live", "--ports", portsFile("../e2e/SandboxPorts.ts")]
const strong = () => randomBytes(20).toString("hex")
const away = "postgres://owner:its-password@127.0.0.1:1/payments"

const ended = async (start: StartOptions) => {
  await using server = run(start)
  const { code } = await server.exited
  return { code, output: server.stdout() + server.stderr() }
}

const { store, unsafe, usage } = ExitCodes

interface Start {
  readonly start: StartOptions
  readonly code: number
  readonly says: ReadonlyArray<RegExp>
  /** None of them may be in the output. */
  readonly secrets?: ReadonlyArray<string>
}

describe("an unsafe start", { timeout: 120_000 }, () => {
  const starts: Readonly<Record<string, Start>> = {
    "live mode with a store in memory": {
      start: { options: [...ownPorts, "--store", "memory"] },
      code: unsafe.code,
      says: [/live mode needs a store that keeps its data/u],
    },
    "a client secret of the documentation in live mode": {
      start: { options: [...ownPorts, "--store", away, "--client-id", "a", "--client-secret", "demo-secret"] },
      code: unsafe.code,
      says: [/--client-secret is a secret that documentation or tests show/u, /needs --wallet-secret/u],
      secrets: ["demo-secret", "its-password"],
    },
    "short and repeated secrets on an address that strangers reach": {
      start: {
        options: ["--host", "0.0.0.0", "--client-id", "a", "--client-secret", "shorty-1", "--platform", "b:shorty-1"],
        env: { COUNTERSIGN_WALLET_SECRET: "abab".repeat(10) },
      },
      code: unsafe.code,
      says: [
        /--client-secret has fewer than 20 characters/u,
        /the secret of b in --platform has fewer than 20 characters/u,
        /COUNTERSIGN_WALLET_SECRET has fewer than 8 different characters/u,
        /two of the secrets are the same/u,
      ],
      secrets: ["shorty-1", "abab"],
    },
    "documents that would cross a network in the clear": {
      start: {
        options: [...ownPorts, "--store", away, "--documents", "s3:papers", "--s3-region", "us-east-1"],
        env: {
          COUNTERSIGN_S3_ENDPOINT: "http://s3.example.com",
          COUNTERSIGN_S3_ACCESS_KEY_ID: "AKIDEXAMPLE",
          COUNTERSIGN_S3_SECRET_ACCESS_KEY: "the-secret-of-the-bucket",
          COUNTERSIGN_WALLET_SECRET: strong(),
        },
      },
      code: unsafe.code,
      says: [/live mode needs an https address in --s3-endpoint/u],
      secrets: ["the-secret-of-the-bucket", "its-password"],
    },
    "mistyped variables and wrong values, together": {
      start: {
        options: ["--lease-seconds", "0"],
        env: {
          COUNTERSIGN_WALET_SECRET: "the-secret-that-nobody-reads",
          COUNTERSIGN_PORT: "many",
          COUNTERSIGN_WALLET_SECRET: "too-short",
          COUNTERSIGN_MODE: "production",
          countersign_store: "memory",
        },
      },
      code: usage.code,
      says: [
        /COUNTERSIGN_WALET_SECRET is not a variable.*nearest is COUNTERSIGN_WALLET_SECRET/u,
        /countersign_store is not a variable.*nearest is COUNTERSIGN_STORE/u,
        /Invalid value for COUNTERSIGN_PORT: "many"/u,
        /Invalid value for COUNTERSIGN_MODE: "production"/u,
        /Invalid value for COUNTERSIGN_WALLET_SECRET\. Expected: a secret of 32 characters or more/u,
        /Invalid value for --lease-seconds: "0"\. Expected: seconds from 1 to 86400/u,
      ],
      secrets: ["the-secret-that-nobody-reads", "too-short"],
    },
    "a mistyped variable of migrate": {
      start: { command: "migrate", options: ["--store", away], env: { COUNTERSIGN_STOER: away } },
      code: usage.code,
      says: [/COUNTERSIGN_STOER is not a variable.*nearest is COUNTERSIGN_STORE/u],
      secrets: ["its-password"],
    },
    "a mistyped variable of ledger": {
      start: { command: "ledger", options: ["--store", away], env: { COUNTERSIGN_TYPO: "1" } },
      code: usage.code,
      says: [/COUNTERSIGN_TYPO is not a variable/u],
    },
    "a store that nobody answers for": {
      start: { options: [...credentialOptions, "--store", away] },
      code: store.code,
      says: [/cannot use postgres:\/\/owner@127\.0\.0\.1:1\/payments/u],
      secrets: ["its-password"],
    },
    "a ledger that does not exist": {
      start: { command: "ledger", options: ["--store", "pglite:/nowhere/at/all"] },
      code: store.code,
      says: [/the store \/nowhere\/at\/all does not exist/u],
    },
  }
  it.concurrent.each(Object.entries(starts))("is refused: %s", async (_, { code, says, secrets = [], start }) => {
    const port = start.command === undefined && start.env?.["COUNTERSIGN_PORT"] === undefined ? ["--port", "0"] : []
    const result = await ended({ ...start, options: [...port, ...(start.options ?? [])] })
    expect(result.code, result.output).toBe(code)
    for (const text of says) expect(result.output).toMatch(text)
    for (const secret of secrets) expect(result.output).not.toContain(secret)
    expect(result.output).not.toMatch(/^ready /mu)
  })

  it("is refused: live mode with ports of the sandbox", async () => {
    await using folder = await newFolder()
    const options = ["--port", "0", "--mode", "live", "--store", `pglite:${join(folder.path, "store")}`]
    const secrets = ["--client-id", "a", "--client-secret", strong()]
    const simulated = portsFile("SimulatedPorts.ts")
    const result = await ended({ options: [...options, ...secrets, "--ports", simulated] })
    expect(result.output).toMatch(/live mode cannot use .*SandboxRails.*only a sandbox may use them/u)
    expect(result.code).toBe(unsafe.code)
  })

  it("is refused: a port in use", async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
    const address = other.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const result = await ended({ options: [...credentialOptions, "--port", String(port)] })
    other.close()
    expect(result.output).toContain(`cannot listen on 127.0.0.1:${port}`)
    expect(result.code).toBe(ExitCodes.address.code)
  })
})

describe("a safe start", { timeout: 120_000 }, () => {
  it("keeps its folder out of version control, and leaves a file of the operator's as it is", async () => {
    await using folder = await newFolder()
    const ignore = join(folder.path, ".gitignore")
    const options = [...credentialOptions, "--store", `pglite:${folder.path}`]
    {
      await using _first = await startServer({ options })
    }
    expect((await readFile(ignore, "utf8")).split("\n")).toContain("*")
    await writeFile(ignore, "mine\n")
    {
      await using _second = await startServer({ options })
    }
    expect(await readFile(ignore, "utf8")).toBe("mine\n")
  })

  it("ignores the variables of the tests, and takes a known secret on loopback in the sandbox", async () => {
    await using server = await startServer({
      options: ["--client-id", "demo", "--client-secret", "demo-secret"],
      env: { COUNTERSIGN_TEST_POSTGRES_URL: "postgres://nobody", COUNTERSIGN_VECTORS: "/nowhere" },
    })
    expect(server.printed("client secret")).toBe("as given")
  })
})

it.each([
  ["serve", [0, 2, 3, 4, 5, 6, 70]],
  ["migrate", [0, 2, 3, 6, 70]],
  ["ledger", [0, 1, 2, 3, 6, 70]],
] as const)("the help of %s lists the exit codes that it can have, and no others", async (command, codes) => {
  const { code, output } = await ended({ command, options: ["--help"] })
  expect(code).toBe(0)
  const listed = Object.values(ExitCodes).filter((exit) => output.includes(`${exit.code}  ${exit.meaning}`))
  expect(listed.map((exit) => exit.code)).toEqual(codes)
})
