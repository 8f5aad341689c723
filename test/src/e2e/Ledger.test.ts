/**
 * `countersign ledger`: the trial balance and the entries of a transaction, from a server and from a folder, and its errors.
 * Source: D-110.
 */
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { basic, client } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import { balanceOf, credentialOptions, credentials, newCustomer, newSource } from "./Flow.ts"
import { newFolder } from "./Folder.ts"
import { newDatabase } from "./ServerDatabase.ts"
import { run, type ServerProcess, startServer } from "./ServerProcess.ts"

const ledger = async (options: ReadonlyArray<string>) => {
  await using command = run({ command: "ledger", options })
  const { code } = await command.exited
  // A slow start prints a notice first.
  const stderr = command.stderr().replaceAll(/^opening .*\n/gmu, "")
  return { code, stdout: command.stdout().trimEnd(), stderr: stderr.trimEnd() }
}

const words = (text: string) => text.split("\n").map((line) => line.trim().split(/\s{2,}/u))

/** A customer with 30.00, and a completed payout of 12.50. */
const history = async (server: ServerProcess) => {
  const platform = client(server.base, basic(credentials.clientId, credentials.clientSecret))
  const customer = await newCustomer(platform)
  const destination = await newSource(platform, customer)
  const fund = { body: { amount: 3000 } }
  expect((await platform("POST", `/sandbox/internal-accounts/${customer.accountId}/fund`, fund)).status).toBe(200)
  const order = { source: { accountId: customer.accountId }, destination: { accountId: destination }, amount: 1250 }
  const sent = await platform("POST", "/transfer-out", { body: order })
  expect(sent.status).toBe(201)
  const { id } = JSON.parse(sent.text) as { readonly id: string }
  await eventually(
    "the payout",
    async () => JSON.parse((await platform("GET", `/transactions/${id}`)).text) as { readonly status: string },
    ({ status }) => status === "COMPLETED",
  )
  expect(await balanceOf(platform, customer)).toBe(1750)
  return { id, ...customer }
}

const balanced = [
  ["kind of account", "accounts", "debit", "credit", "balance"],
  ["available", "2", "12.50 USD", "30.00 USD", "17.50 USD"],
  ["held", "2", "12.50 USD", "12.50 USD", "0.00 USD"],
  ["outside", "2", "30.00 USD", "12.50 USD", "-17.50 USD"],
  ["transit", "1", "12.50 USD", "12.50 USD", "0.00 USD"],
  ["total", "67.50 USD", "67.50 USD", "0.00 USD"],
  ["no postings in 8 currencies"],
  ["the books balance"],
]

describe("countersign ledger", { timeout: 120_000 }, () => {
  it("reads a server's database while processes use it, and reports books that do not balance", async () => {
    await using database = await newDatabase()
    await using server = await startServer({ options: [...credentialOptions, ...database.options] })
    const { accountId, customerId, id } = await history(server)

    const good = await ledger(database.options)
    expect([good.code, good.stderr, words(good.stdout)]).toEqual([0, "", balanced])
    const report = JSON.parse((await ledger([...database.options, "--json"])).stdout) as Record<string, unknown>
    expect(report).toMatchObject({ isBalanced: true, problems: [] })
    expect(report["totals"]).toContainEqual({ currency: "USD", debit: "6750", credit: "6750", balance: "0" })
    const held = { role: "held", currency: "USD", accounts: 2, debit: "1250", credit: "1250", balance: "0" }
    expect(report["lines"]).toContainEqual({ ...held, differing: 0 })

    const [head, ...moves] = words((await ledger([id, ...database.options])).stdout)
    expect(head).toEqual(["when", "amount", "from (entry)", "to (entry)"])
    const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u)
    expect(moves).toEqual([
      ["1", iso, "12.50 USD", `available:${accountId} (2)`, `held:${accountId} (1)`],
      ["2", iso, "12.50 USD", `held:${accountId} (2)`, `transit:${customerId}:USD (1)`],
      ["3", iso, "12.50 USD", `transit:${customerId}:USD (2)`, `outside:${customerId}:USD (2)`],
    ])
    const none = await ledger(["Transaction:00000000-0000-7000-8000-000000000000", ...database.options])
    expect([none.code, none.stdout]).toEqual([1, ""])
    expect(none.stderr).toContain("the books have no entries of Transaction:00000000-0000-7000-8000-000000000000")

    await database.pool.query("update countersign.ledger_account set balance = balance + 5 where id = $1", [
      `available:${accountId}`,
    ])
    for (const options of [[], ["--json"]]) {
      const bad = await ledger([...database.options, ...options])
      expect(bad.code).toBe(1)
      expect(bad.stderr).toContain(
        "the books do not balance: the balances of USD add up to 0.05 USD, not to zero; 1 of 2 balances of available USD are not the sum of their entries",
      )
      expect(bad.stdout).not.toContain("the books balance")
    }
  })

  it("reads a folder that no process has open, and creates no folder", async () => {
    await using folder = await newFolder()
    const options = ["--store", `pglite:${folder.path}`]
    await using server = await startServer({ options: [...credentialOptions, ...options] })
    const { id } = await history(server)
    const busy = await ledger(options)
    expect([busy.code, busy.stdout]).toEqual([3, ""])
    expect(busy.stderr).toContain(`${server.pid}`)
    server.terminate()
    await server.exited
    expect(words((await ledger(options)).stdout)).toEqual(balanced)
    const shown = JSON.parse((await ledger([id, "--json", ...options])).stdout) as { readonly transfers: unknown }
    expect(shown.transfers).toHaveLength(3)

    const nowhere = join(folder.path, "nowhere")
    const missing = await ledger(["--store", `pglite:${nowhere}`])
    expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining(`the store ${nowhere} does not exist`)])
    expect((await ledger(["--store", `pglite:${nowhere}`])).stderr).toContain("does not exist")
  })

  it("refuses --store memory, which only its own process can read", async () => {
    const refused = await ledger(["--store", "memory"])
    expect([refused.code, refused.stdout]).toEqual([2, ""])
    expect(refused.stderr).toContain("--store memory keeps nothing that another process can read")
  })
})
