/**
 * Invalid options end the start with exit code 2 or 5 and a message that names the option.
 * Source: D-029, D-030, D-341, D-342.
 */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { client, textAt } from "./Client.ts"
import { credentialOptions, credentials } from "./Flow.ts"
import { newFolder } from "./Folder.ts"
import { inProcess } from "./InProcess.ts"
import { run, startServer } from "./ServerProcess.ts"

describe("invalid options", { timeout: 120_000 }, () => {
  const halfPorts = fileURLToPath(new URL("./HalfPorts.ts", import.meta.url))
  const refused: ReadonlyArray<readonly [options: ReadonlyArray<string>, said: RegExp]> = [
    [["--nope", "1"], /Unrecognized flag: --nope/u],
    [["--port", "70000"], /--port: "70000".*a port from 0 to 65535/u],
    [["--store", "elsewhere"], /--store takes memory, pglite:FOLDER or postgres:/u],
    [["--store", "pglite:"], /--store takes memory, pglite:FOLDER or postgres:/u],
    [["--store", "postgres://a,b:x/pay"], /--store takes memory, pglite:FOLDER or postgres:/u],
    [["--store", "postgres://a,b/pay?target_session_attrs=any"], /--store takes memory, pglite:FOLDER or postgres:/u],
    [["--store-direct", "postgres://db/pay"], /--store-direct takes postgres:.*for a --store that is one/u],
    [["--store", "postgres://pooler/pay", "--store-direct", "memory"], /--store-direct takes postgres:/u],
    [["--documents", "elsewhere"], /--documents takes memory, folder:PATH, postgres or s3:BUCKET/u],
    [["--documents", "folder:"], /--documents takes memory, folder:PATH, postgres or s3:BUCKET/u],
    [["--documents", "postgres"], /--documents postgres needs a database: --store pglite:FOLDER or postgres:/u],
    [["--documents", "memory", "--store", "pglite:never-made"], /--documents memory needs --store memory/u],
    [
      [
        "--documents",
        "s3:Papers",
        "--s3-endpoint",
        "https://a:its-password@s3.example.com",
        "--s3-encryption",
        "rot13",
      ],
      /^(?!.*its-password).*--s3-encryption: "rot13".*AES256 or kms:KEY\n.*s3:BUCKET takes 3 to 63.*\n.*--s3-endpoint takes.*without credentials/su,
    ],
    [
      ["--documents", "s3:papers", "--s3-endpoint", "https://s3.example.com", "--s3-prefix", "../"],
      /--s3-prefix: "\.\.\/".*\n.*s3:BUCKET needs --s3-region, --s3-access-key-id, --s3-secret-access-key/u,
    ],
    [["--documents-encryption", "perhaps"], /--documents-encryption: "perhaps"/u],
    [
      ["--documents", "folder:never-made", "--documents-encryption", "on"],
      /--documents-encryption needs --wallet-secret/u,
    ],
    [["--s3-region", "a", "--s3-addressing", "host"], /--s3-region, --s3-addressing: only for --documents s3:BUCKET/u],
    [["--role", "worker"], /--role worker needs a store that processes can share/u],
    [["--role", "api", "--store", "pglite:never-made"], /--role api needs a store that processes can share/u],
    [["--lease-seconds", "0"], /--lease-seconds: "0".*seconds from 1 to 86400/u],
    [["--migrate", "perhaps"], /--migrate: "perhaps"/u],
    [["--platform", "without-secret"], /--platform takes ID:SECRET/u],
    [["--client-id", "a", "--client-secret", "b", "--platform", "a:c"], /two platforms have the client id a/u],
    [["--client-id", "a:b"], /--client-id: "a:b".*no colon/u],
    [["--client-secret", ""], /--client-secret.*not empty/u],
    [["--webhook-url", "nonsense"], /--webhook-url: it is not a URL/u],
    [["--webhook-key", "nonsense"], /not an unencrypted PEM private key/u],
    [["--wallet-secret", "too-short"], /--wallet-secret.*a secret of 32 characters or more/u],
    [
      ["--mode", "live", "--store", "postgres://127.0.0.1:1/nobody", "--client-id", "a", "--client-secret", "b"],
      /live mode needs Rails.*\n.*live mode on a server needs --wallet-secret.*\n.*--client-secret has fewer than 20/u,
    ],
    [
      ["--service-name", "a b", "--header-prefix", "Ac-me", "--port", "70000"],
      /--port: "70000".*\n.*--service-name: "a b"\. Expected: a letter, then at most 31 letters and digits, and not Platform\n.*--header-prefix: "Ac-me"/u,
    ],
    [
      ["--service-name", "Acme", "--header-prefix", "Other"],
      /--service-name and --header-prefix differ: they are two names of one option, so give only the first/u,
    ],
    [["--uma-domain", "Pay.Example"], /--uma-domain: "Pay\.Example".*a domain in lower case/u],
    [
      ["--mode", "live", "--client-id", "a", "--client-secret", "b"],
      /Rails, ExchangeRates, Verifier, SecurityCodes, ScaProvider, OtpSender and Issuer.*--ports FILE/u,
    ],
    [
      ["--mode", "live", "--ports", halfPorts, "--store", "pglite:never-made"],
      /HalfPorts\.ts: the Layer has no ExchangeRates, no Verifier, no SecurityCodes, no ScaProvider, no OtpSender, no Issuer/u,
    ],
    [["--quote-pull", "always"], /--quote-pull: "always"/u],
    [["--mode", "live", "--quote-pull", "never"], /--quote-pull is for the sandbox/u],
    [
      ["--sandbox-uma-domain", "uma.example", "--sandbox-uma-domain", "Uma"],
      /--sandbox-uma-domain.*domains in lower case/u,
    ],
    [["--mode", "live", "--sandbox-uma-domain", "uma.example"], /--sandbox-uma-domain is for the sandbox/u],
    [["--mode", "live", "--ports", "no/such/file.ts"], /--ports no\/such\/file\.ts: the module cannot be loaded/u],
  ]

  it.each(refused)("exits with code 2 for %j", async (options, said) => {
    const port = options.includes("--port") ? [] : ["--port", "0"]
    const store = options.includes("--store") ? [] : ["--store", "memory"]
    const { code, stderr, stdout } = await inProcess(["serve", ...store, ...port, ...options])
    expect(stderr).toMatch(said)
    expect(code).toBe(2)
    expect(stdout).not.toMatch(/^ready /mu)
  })

  it("exits with code 2 as a process", async () => {
    await using server = run({ options: ["--port", "70000", "--service-name", "a b"] })
    expect(await server.exited).toEqual({ code: 2, signal: null })
    expect(server.stderr()).toMatch(/--port: "70000".*\n.*--service-name: "a b"/u)
  })

  const early: ReadonlyArray<readonly [options: ReadonlyArray<string>, said: RegExp]> = [
    [["--platform", "without-secret"], /--platform takes ID:SECRET/u],
    [["--platform", "a:b", "--platform", "a:c"], /two platforms have the client id a/u],
    [["--client-id", "a", "--client-secret", "b", "--platform", "a:c"], /two platforms have the client id a/u],
    [["--webhook-url", "nonsense"], /--webhook-url: it is not a URL/u],
    [["--webhook-key", "nonsense"], /not an unencrypted PEM private key/u],
    [["--wallet-secret", "too-short"], /--wallet-secret.*a secret of 32 characters or more/u],
  ]
  it.each(early)("rejects %j before it opens the store", async (options, said) => {
    await using folder = await newFolder()
    for (const store of [`pglite:${join(folder.path, "made")}`, "postgres://127.0.0.1:1/nobody"]) {
      const { code, stderr } = await inProcess(["serve", "--port", "0", "--store", store, ...options])
      expect(stderr).toMatch(said)
      expect(code).toBe(2)
    }
    expect(await readdir(folder.path)).toEqual([])
  })

  it("rejects a further platform with the client id of the stored first platform", async () => {
    await using folder = await newFolder()
    const store = ["--store", `pglite:${folder.path}`]
    {
      await using _first = await startServer({ options: [...credentialOptions, ...store] })
    }
    await using server = run({ options: ["--port", "0", "--platform", `${credentials.clientId}:other`, ...store] })
    expect(await server.exited).toEqual({ code: 2, signal: null })
    expect(server.stderr()).toContain(`two platforms have the client id ${credentials.clientId}`)
  })

  it("rejects a mistyped store address without repeating its password", async () => {
    await using server = run({ options: ["--store", "postgresq://owner:its-password@127.0.0.1/database"] })
    expect(await server.exited).toEqual({ code: 2, signal: null })
    expect(server.stderr()).toMatch(/--store takes memory/u)
    expect(server.stdout() + server.stderr()).not.toContain("its-password")
  })

  it("rejects migrate for --store memory, which has no schema", async () => {
    await using server = run({ command: "migrate" })
    expect(await server.exited).toEqual({ code: 2, signal: null })
    expect(server.stderr()).toMatch(/--store memory has no schema to migrate/u)
  })

  it("rejects an invalid environment variable by its name", async () => {
    await using server = run({ env: { COUNTERSIGN_MODE: "pretend", COUNTERSIGN_SERVICE_NAME: "Platform" } })
    expect(await server.exited).toEqual({ code: 2, signal: null })
    expect(server.stderr()).toMatch(/COUNTERSIGN_MODE/u)
    expect(server.stderr()).toMatch(/COUNTERSIGN_SERVICE_NAME: "Platform"/u)
  })

  it("rejects a port that is in use", async () => {
    await using first = await startServer({ options: credentialOptions })
    await using second = run({ options: ["--port", String(first.port)] })
    expect(await second.exited).toEqual({ code: 4, signal: null })
    expect(second.stderr()).toContain(`cannot listen on 127.0.0.1:${first.port}`)
    expect(textAt(await client(first.origin)("GET", "/healthz"), "status")).toBe("ok")
  })
})
