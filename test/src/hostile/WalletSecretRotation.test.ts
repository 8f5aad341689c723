/**
 * The rotation of the wallet secret under traffic, over a real socket and on PostgreSQL: no sign-in, signed request or card fails, no
 * wallet gets other words, and the secret before it opens nothing afterwards.
 * Source: D-346.
 */
import { randomBytes } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { PortableCrypto } from "@countersign/core/crypto"
import { Effect, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { describe, expect, it } from "vitest"
import { ExitCodes } from "../../../packages/cli/src/ExitCodes.ts"
import { WalletRoot } from "../../../packages/core/src/model/wallet/WalletRoot.ts"
import { openRoots, secretIdOf } from "../../../packages/core/src/service/wallet/SealedRoots.ts"
import { basic, client, type Send, textAt } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { clear, dump } from "../e2e/Dump.ts"
import { credentialOptions, credentials, newCustomer } from "../e2e/Flow.ts"
import { newFolder } from "../e2e/Folder.ts"
import { newDatabase, type ServerDatabase } from "../e2e/ServerDatabase.ts"
import { run, startServer } from "../e2e/ServerProcess.ts"
import { deviceAt } from "./RollingDevice.ts"

const ports = fileURLToPath(new URL("./SlowIssuer.ts", import.meta.url))
const authorization = basic(credentials.clientId, credentials.clientSecret)

const newSecret = () => randomBytes(20).toString("hex")

/** The stored record of the sealed roots. */
const storedRoot = async ({ pool }: ServerDatabase) => {
  const { rows } = await pool.query<{ readonly data: unknown }>("select data from countersign.wallet_root")
  return Schema.decodeUnknownSync(WalletRoot)(rows[0]?.data)
}

/** How many roots a secret opens. */
const opened = async (secret: string, root: WalletRoot) => {
  const roots = await Effect.runPromise(
    Effect.provide(
      openRoots(Redacted.make(secret), root),
      Layer.provideMerge(PortableCrypto.layer, SecureRandom.layerWebCrypto),
    ),
  )
  return roots?.length ?? 0
}

/** Signs in, exports words and issues cards with sealed passwords, until it is stopped. */
const startOwners = (base: () => string) => {
  let isRunning = true
  let rounds = 0
  const failures: Array<unknown> = []
  const passwords = new Map<string, string>()
  const platform: Send = (...request) => client(base(), authorization)(...request)
  const round = async (owner: string) => {
    const person = await deviceAt(base, `${owner}-${rounds}`)
    await person.signIn("EMAIL_OTP")
    const words = await person.exportWords()
    if ((await person.exportWords()) !== words) throw new Error("the words have changed")
    const { accountId, customerId } = await newCustomer(platform)
    const password = `Pw${randomBytes(7).toString("hex")}`
    const body = {
      cardholderId: customerId,
      form: "VIRTUAL",
      fundingSources: [accountId],
      threeDSecurePassword: password,
    }
    const card = await platform("POST", "/cards", { body })
    if (card.status !== 201) throw new Error(`${card.status} ${card.text}`)
    passwords.set(textAt(card, "id"), password)
  }
  const owner = async (name: string) => {
    while (isRunning) {
      await round(name).catch((error: unknown) => failures.push(error))
      rounds++
    }
  }
  const running = ["ada", "bob"].map(owner)
  return {
    more: (count: number) => {
      const wanted = rounds + count
      return eventually(
        "more rounds",
        () => rounds,
        (count) => count >= wanted,
      )
    },
    stop: async () => {
      isRunning = false
      await Promise.all(running)
      return { failures, passwords }
    },
  }
}

describe("the wallet secret", { timeout: 180_000 }, () => {
  it("changes under traffic: no request fails, no wallet changes, and the old secret opens nothing", async () => {
    await using database = await newDatabase()
    await using folder = await newFolder()
    const issuerFile = join(folder.path, "issuer")
    const [old, next] = [newSecret(), newSecret()]
    const common = [...credentialOptions, ...database.options]
    const start = (...secrets: ReadonlyArray<string>) =>
      startServer({ options: [...common, "--ports", ports, ...secrets], env: { ISSUER_FILE: issuerFile } })

    const first = await start("--wallet-secret", old)
    let base = first.base
    const owners = startOwners(() => base)
    const person = await deviceAt(() => base, "saver")
    await person.signIn("EMAIL_OTP")
    const words = await person.exportWords()
    await owners.more(2)
    const before = await storedRoot(database)
    expect(await opened(old, before)).toBe(1)

    await using second = await start("--wallet-secret", next, "--previous-wallet-secret", old)
    base = second.base
    await owners.more(2)
    {
      const both = ["--wallet-secret", next, "--previous-wallet-secret", old]
      await using rotation = run({
        command: "rotate",
        options: ["wallet-secret", ...database.options, ...both, "--operator", "Grace"],
      })
      expect([(await rotation.exited).code, rotation.stderr()]).toEqual([0, ""])
      expect(rotation.stdout()).toContain(secretIdOf(Redacted.make(next)))
      expect(
        clear(rotation.stdout(), [
          ["the old secret", old],
          ["the new secret", next],
        ]),
      ).toEqual([])
    }
    // A process of the old secret that still runs has the same keys.
    base = first.base
    expect(await person.exportWords()).toBe(words)
    await owners.more(2)
    await using third = await start("--wallet-secret", next)
    base = third.base
    await owners.more(2)
    const { failures, passwords } = await owners.stop()
    expect(failures).toEqual([])
    expect(await person.exportWords()).toBe(words)
    for (const process of [first, second]) {
      process.terminate()
      expect(await process.exited).toEqual({ code: 0, signal: null })
    }

    // Passwords that were sealed before the rotation open with the new secret alone.
    await writeFile(issuerFile, "")
    const received = async () => (await readFile(issuerFile, "utf8")).trim().split("\n").toSorted()
    const sent = [...passwords].map((entry) => entry.join(" ")).toSorted()
    await eventually("every password", received, (lines) => lines.length >= sent.length, 30_000)
    expect(await received()).toEqual(sent)

    await using refused = run({ options: ["--port", "0", ...common, "--ports", ports, "--wallet-secret", old] })
    expect((await refused.exited).code).toBe(ExitCodes.unsafe.code)
    expect(refused.stdout() + refused.stderr()).toContain("another wallet secret")

    const after = await storedRoot(database)
    expect([await opened(next, after), await opened(old, after)]).toEqual([1, 0])
    expect(await opened(old, { ...after, secretId: before.secretId })).toBe(0)
    const dumped = await dump(database)
    expect(dumped).toContain("WALLET_SECRET_ROTATE")
    expect(dumped).toContain(after.roots[0].ciphertext)
    const gone = [
      ["the earlier seal", before.roots[0].ciphertext],
      ["the old secret", old],
      ["the new secret", next],
    ] as const
    expect(clear(dumped, gone)).toEqual([])
  })
})
