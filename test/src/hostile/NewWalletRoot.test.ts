/**
 * A second root of wallet keys under traffic, over real sockets, with two processes on one PostgreSQL: every wallet keeps its words, new
 * wallets use the new root, and a command that is killed leaves the old state or the new one.
 * Source: D-364.
 */
import { randomBytes } from "node:crypto"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { WalletRoot } from "../../../packages/core/src/model/wallet/WalletRoot.ts"
import { eventually } from "../e2e/Deadline.ts"
import { clear, dump } from "../e2e/Dump.ts"
import { credentialOptions } from "../e2e/Flow.ts"
import { newFolder } from "../e2e/Folder.ts"
import { newDatabase, type ServerDatabase } from "../e2e/ServerDatabase.ts"
import { run, startServer } from "../e2e/ServerProcess.ts"
import { deviceAt } from "./RollingDevice.ts"

const newSecret = () => randomBytes(20).toString("hex")

const recordOf = async ({ pool }: ServerDatabase) => {
  const { rows } = await pool.query<{ readonly data: unknown }>("select data from countersign.wallet_root")
  return Schema.decodeUnknownSync(WalletRoot)(rows[0]?.data)
}

const walletOf = async ({ pool }: ServerDatabase, accountId: string) => {
  const { rows } = await pool.query<{ readonly data: { readonly rootId?: string } }>(
    "select data from countersign.wallet where id = $1",
    [accountId],
  )
  return rows[0]?.data
}

/** Makes wallets at one process and exports their words at both, until it is stopped. */
const startTraffic = (bases: readonly [string, string]) => {
  let isRunning = true
  const rounds: Array<string> = []
  const failures: Array<unknown> = []
  const round = async (at: number) => {
    let base = bases[at % 2]
    const person = await deviceAt(() => base ?? "", `traffic-${at}`)
    await person.signIn("EMAIL_OTP")
    const words = await person.exportWords()
    base = bases[(at + 1) % 2]
    if ((await person.exportWords()) !== words) throw new Error("two processes export other words")
    rounds.push(person.accountId)
  }
  const running = (async () => {
    for (let at = 0; isRunning; at++) await round(at).catch((error: unknown) => failures.push(error))
  })()
  return {
    more: (count: number) => {
      const wanted = rounds.length + count
      return eventually(
        "more rounds",
        () => rounds.length,
        (count) => count >= wanted || failures.length > 0,
      )
    },
    stop: async () => {
      isRunning = false
      await running
      return { failures, accounts: rounds }
    },
  }
}

describe("a new wallet root", { timeout: 180_000 }, () => {
  const rotate = async (options: ReadonlyArray<string>, ...parameters: ReadonlyArray<string>) => {
    await using command = run({ command: "rotate", options: [...parameters, ...options, "--operator", "Grace"] })
    const { code } = await command.exited
    return { code, stdout: command.stdout().trim(), stderr: command.stderr().trim() }
  }

  it("is added under traffic: no request fails, no wallet changes, and every process opens the new wallets", async () => {
    await using database = await newDatabase()
    const [secret, next] = [newSecret(), newSecret()]
    const start = (...secrets: ReadonlyArray<string>) =>
      startServer({ options: [...credentialOptions, ...database.options, ...secrets] })
    await using one = await start("--wallet-secret", secret)
    await using two = await start("--wallet-secret", secret)
    let base = one.base
    const old = await deviceAt(() => base, "old")
    const older = await deviceAt(() => base, "older")
    await Promise.all([old, older].map((person) => person.signIn("EMAIL_OTP")))
    const words = await old.exportWords()
    const olderWords = await older.exportWords()
    // A wallet that was made before records named their root.
    await database.pool.query("update countersign.wallet set data = (data::jsonb - 'rootId')::json where id = $1", [
      older.accountId,
    ])
    const first = (await recordOf(database)).roots[0].rootId
    expect(await walletOf(database, old.accountId)).toMatchObject({ rootId: first })
    const traffic = startTraffic([one.base, two.base])
    await traffic.more(1)

    const added = await rotate(database.options, "wallet-root", "--wallet-secret", secret)
    expect([added.code, added.stderr]).toEqual([0, ""])
    const rootId = (await recordOf(database)).roots[1]?.rootId ?? ""
    expect(added.stdout).toBe(`new wallets are made of the root ${rootId}`)
    expect(clear(added.stdout + added.stderr, [["the secret", secret]])).toEqual([])

    const young = await deviceAt(() => base, "young")
    expect(await walletOf(database, young.accountId)).toMatchObject({ rootId })
    // The customer has no e-mail address: its wallet begins with the first credential that is registered.
    const registered = await deviceAt(() => two.base, "registered", { phoneNumber: "+14155550199" })
    expect(await walletOf(database, registered.accountId)).toBeUndefined()
    await registered.register("PASSKEY")
    expect(await walletOf(database, registered.accountId)).toMatchObject({ rootId })
    await young.signIn("EMAIL_OTP")
    const youngWords = await young.exportWords()
    expect(youngWords.split(" ")).toHaveLength(12)
    await traffic.more(2)
    const exportAll = () => Promise.all([old, older, young].map((person) => person.exportWords()))
    const all = [words, olderWords, youngWords]
    for (const process of [one, two]) {
      base = process.base
      expect(await exportAll()).toEqual(all)
    }
    // A further credential leaves the root as it is.
    await young.register("PASSKEY")
    expect(await walletOf(database, young.accountId)).toMatchObject({ rootId })

    const both = ["--wallet-secret", next, "--previous-wallet-secret", secret]
    expect((await rotate(database.options, "wallet-secret", ...both)).code).toBe(0)
    await using three = await start("--wallet-secret", next)
    for (const process of [one, three]) {
      base = process.base
      expect(await exportAll()).toEqual(all)
    }
    const { accounts, failures } = await traffic.stop()
    expect(failures).toEqual([])

    const listed = await rotate(database.options, "wallet-root", "--list", "--json")
    const [earlier, newest] = JSON.parse(listed.stdout)
    expect(earlier).toMatchObject({ rootId: first, isNewest: false, isStored: true })
    expect(newest).toMatchObject({ rootId, isNewest: true, isStored: true })
    expect(earlier.wallets).toBeGreaterThanOrEqual(4)
    expect(newest.wallets).toBeGreaterThanOrEqual(2)
    expect(earlier.wallets + newest.wallets).toBe(accounts.length + 4)
    const refused = await rotate(database.options, "wallet-root", "--retire", first)
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("ROOT_IN_USE") })
    expect((await recordOf(database)).roots.map((root) => root.rootId)).toEqual([first, rootId])
  })

  it("is retired by its operator when no wallet needs it, and leaves no seal behind", async () => {
    await using database = await newDatabase()
    const secret = newSecret()
    const start = () => startServer({ options: [...credentialOptions, ...database.options, "--wallet-secret", secret] })
    {
      await using _first = await start()
    }
    const [first] = (await recordOf(database)).roots
    expect(await rotate(database.options, "wallet-root")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--wallet-secret"),
    })
    expect(await rotate(database.options, "wallet-root", "--wallet-secret", newSecret())).toMatchObject({ code: 5 })
    expect(await rotate(database.options, "wallet-root", "--wallet-secret", secret)).toMatchObject({ code: 0 })
    const retire = (rootId: string) => rotate(database.options, "wallet-root", "--retire", rootId)
    expect(await retire(first.rootId)).toMatchObject({ code: 1, stderr: expect.stringMatching(/NEWEST_ROOT_TOO_NEW/u) })
    await database.pool.query(
      `update countersign.wallet_root set data = jsonb_set(data::jsonb, '{newestSince}', '0')::json`,
    )
    expect(await retire(first.rootId)).toEqual({ code: 0, stdout: `retired ${first.rootId}`, stderr: "" })
    expect(await retire(first.rootId)).toMatchObject({ code: 1, stderr: expect.stringContaining("ROOT_UNKNOWN") })
    const dumped = await dump(database)
    expect(dumped).toContain("WALLET_ROOT_ADD")
    expect(dumped).toContain("WALLET_ROOT_RETIRE")
    expect(clear(dumped, [["the retired seal", first.ciphertext]])).toEqual([])
    await using server = await start()
    const person = await deviceAt(() => server.base, "after")
    await person.signIn("EMAIL_OTP")
    expect((await person.exportWords()).split(" ")).toHaveLength(12)
  })

  it("is there or not, and never half, when the command is killed in its commit", async () => {
    await using database = await newDatabase()
    const secret = newSecret()
    const options = [...credentialOptions, ...database.options, "--wallet-secret", secret]
    await using server = await startServer({ options })
    const person = await deviceAt(() => server.base, "kept")
    await person.signIn("EMAIL_OTP")
    const words = await person.exportWords()
    const before = await recordOf(database)
    /** The sessions whose commit waits, or still runs. */
    const sessions = async (condition: string) => {
      const { rows } = await database.pool.query<{ readonly pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and ${condition}`,
      )
      return rows.map(({ pid }) => pid)
    }
    const newRoot = ["wallet-root", "--wallet-secret", secret]
    const newSeal = ["wallet-secret", "--wallet-secret", newSecret(), "--previous-wallet-secret", secret]
    for (const [parameters, isCommitEnded] of [
      [newRoot, true],
      [newSeal, true],
      [newRoot, false],
    ] as const) {
      const holder = await database.pool.connect()
      let pid: number | undefined
      try {
        await holder.query("begin")
        await holder.query("select from countersign.wallet_root for update")
        await using command = run({ command: "rotate", options: [...parameters, ...database.options] })
        const [waiting] = await eventually(
          "the commit to wait",
          () => sessions("wait_event_type = 'Lock'"),
          (found) => found.length > 0,
        )
        pid = waiting
        command.kill()
        await command.exited
        // The database applies what a client had sent before it died, unless it notices the death first.
        if (isCommitEnded) await database.pool.query("select pg_terminate_backend($1)", [pid])
      } finally {
        await holder.query("rollback")
        holder.release()
      }
      await eventually(
        "the commit to end",
        () => sessions(`pid = ${pid} and state = 'active'`),
        (found) => found.length === 0,
      )
      if (isCommitEnded) expect(await recordOf(database)).toEqual(before)
    }
    const count = (await recordOf(database)).roots.length
    expect([1, 2]).toContain(count)
    await using again = await startServer({ options })
    const kept = await deviceAt(() => again.base, "another")
    await kept.signIn("EMAIL_OTP")
    expect(await person.exportWords()).toBe(words)
    expect((await rotate(database.options, "wallet-root", "--wallet-secret", secret)).code).toBe(0)
    expect((await recordOf(database)).roots).toHaveLength(count + 1)
    expect(await person.exportWords()).toBe(words)
  })

  it("is added to a folder with the secret of the folder", async () => {
    await using folder = await newFolder()
    const options = ["--store", `pglite:${folder.path}`]
    const startAndExport = async (seed: string) => {
      await using server = await startServer({ options: [...credentialOptions, ...options] })
      const person = await deviceAt(() => server.base, seed)
      await person.signIn("EMAIL_OTP")
      await person.exportWords()
    }
    await startAndExport("first")
    expect((await rotate(options, "wallet-root")).code).toBe(0)
    await startAndExport("second")
    const { stdout } = await rotate(options, "wallet-root", "--list")
    expect(stdout.split("\n").map((line) => line.replace(/^\w+\s+/u, "").replaceAll(/\s+/gu, " "))).toEqual([
      "state wallets delegated keys",
      "earlier 1 0",
      "newest 1 0",
    ])
  })
})
