/**
 * Secrets that a key in a PKCS#11 token derives, on SoftHSM: the key never leaves the token, and each way in which it cannot be used says why.
 * Runs where SoftHSM 2 is installed.
 * Source: D-533.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createKey, walletSecretFrom, webhookKeyFrom } from "@countersign/adapter-keys"
import { afterAll, describe, expect, it } from "vitest"
import { commandsIn } from "../../e2e/Commands.ts"
import { credentialOptions } from "../../e2e/Flow.ts"
import { newFolder } from "../../e2e/Folder.ts"
import { startServer } from "../../e2e/ServerProcess.ts"
import { softHsm } from "../SoftHsm.ts"

const pin = "4711"
const folder = mkdtempSync(join(tmpdir(), "countersign-token-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const configuration = join(folder, "softhsm2.conf")
writeFileSync(configuration, `directories.tokendir = ${folder}\nobjectstore.backend = file\nlog.level = ERROR\n`)
process.env["SOFTHSM2_CONF"] = configuration
for (const label of ["payments", "twin", "twin"]) {
  execFileSync("softhsm2-util", ["--init-token", "--free", "--label", label, "--so-pin", "12345678", "--pin", pin])
}

const uriOf = (object: string, token = "payments") =>
  `pkcs11:token=${token};object=${encodeURIComponent(object)}?module-path=${encodeURIComponent(softHsm)}`
const root = uriOf("the root key")
createKey(root, pin)

describe("a key in a token", () => {
  it("derives the same secrets at each start, and others than another key", async () => {
    createKey(uriOf("another"), pin)
    const secret = await walletSecretFrom(root, pin)
    expect(secret).toMatch(/^[0-9a-f]{64}$/u)
    expect(await walletSecretFrom(root, pin)).toBe(secret)
    expect(await walletSecretFrom(uriOf("another"), pin)).not.toBe(secret)
    expect(await webhookKeyFrom(root, pin)).toBe(await webhookKeyFrom(root, pin))
  })

  it("is used with a PIN from a file", async () => {
    const file = join(folder, "pin")
    writeFileSync(file, `${pin}\n`, { mode: 0o600 })
    expect(await walletSecretFrom(`${root}&pin-source=file:${file}`)).toBe(await walletSecretFrom(root, pin))
    await expect(walletSecretFrom(`${root}&pin-source=file:${file}.none`)).rejects.toThrow(/PIN cannot be read/u)
  })

  it.each([
    ["a wrong PIN", root, "0000", /the PIN is wrong/u],
    ["no PIN", root, undefined, /the login/u],
    ["a key that is not there", uriOf("none"), pin, /no secret keys with the label none/u],
    ["a token that is not there", uriOf("a", "none"), pin, /no token with the label none/u],
    ["two tokens of one label", uriOf("a", "twin"), pin, /several tokens with the label twin/u],
  ])("gives no secret for %s", async (_, uri, given, reason) => {
    const failure = await walletSecretFrom(uri, given).catch(String)
    expect(failure).toMatch(reason)
    expect(failure).not.toContain("0000")
  })

  it("is not made twice under one label", () => {
    expect(() => createKey(root, pin)).toThrow(/has a key with the label the root key already/u)
  })

  it("is refused if it was brought from outside", async () => {
    const file = join(folder, "aes.key")
    writeFileSync(file, Buffer.alloc(32, 1))
    execFileSync("softhsm2-util", [
      ...["--import", file, "--aes", "--token", "payments", "--pin", pin, "--label", "imported", "--id", "0a"],
    ])
    await expect(walletSecretFrom(uriOf("imported"), pin)).rejects.toThrow(/was not generated in it/u)
  })
})

describe("a server with a token", { timeout: 120_000 }, () => {
  const env = (uri: string, given = pin) => ({
    SOFTHSM2_CONF: configuration,
    COUNTERSIGN_KEYS_CREDENTIAL: given,
    COUNTERSIGN_WALLET_SECRET_FROM: uri,
    COUNTERSIGN_WEBHOOK_KEY_FROM: uri,
  })

  it("opens its store with the key again, and with no other", async () => {
    await using own = await newFolder()
    const options = [...credentialOptions, "--store", `pglite:${join(own.path, "db")}`]
    for (let start = 0; start < 2; start++) {
      await using server = await startServer({ options, env: env(root) })
      expect((await fetch(new URL("/healthz", server.base))).status).toBe(200)
    }
    createKey(uriOf("a third"), pin)
    const other = await commandsIn(own.path)(["serve", ...options], env(uriOf("a third")))
    expect([other.code, other.stderr]).toEqual([5, expect.stringContaining("another wallet secret")])
  })

  it("does not start without the key, and says so without the PIN", async () => {
    await using own = await newFolder()
    const command = commandsIn(own.path)
    const wrong = await command(["serve", ...credentialOptions], env(root, "99999"))
    expect([wrong.code, wrong.stderr]).toEqual([
      5,
      expect.stringMatching(/COUNTERSIGN_WALLET_SECRET_FROM.*PIN is wrong/u),
    ])
    expect(wrong.stderr).not.toContain("99999")
    const both = await command(["serve"], { ...env(root), COUNTERSIGN_WALLET_SECRET: "a".repeat(40) })
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("are both set")])
  })

  it("has a key that the command line creates, once", async () => {
    await using own = await newFolder()
    const create = () => commandsIn(own.path)(["keys", "create", uriOf("created"), "--json"], env(root))
    const created = await create()
    expect([created.code, JSON.parse(created.stdout)]).toEqual([0, { source: uriOf("created") }])
    expect(await walletSecretFrom(uriOf("created"), pin)).toMatch(/^[0-9a-f]{64}$/u)
    const again = await create()
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining("has a key with the label created already")])
  })
})
