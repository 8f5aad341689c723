/** Which banks can be configured, and what a bank is without options. */
import { type Bank, BankFiles, MemoryBankFileStore } from "@countersign/adapter-bank-files"
import { BankExchange, BankReconciliation, portChecksOf, Rails } from "@countersign/core/ports"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { isoBank, nachaBank } from "../../../packages/adapter-bank-files/src/Bank.ts"
import { bankFileChecks } from "../../../packages/adapter-bank-files/src/BankFileChecks.ts"
import { FolderUnavailable } from "../../../packages/adapter-bank-files/src/folder/BankFolder.ts"
import { BankFilesUnavailable } from "../../../packages/adapter-bank-files/src/orders/BankFileStore.ts"
import { achBank, berlin, companyId, euroBank, odfi, ourIban } from "./BankWorld.ts"
import { memoryFolder } from "./MemoryFolder.ts"

const { folder } = memoryFolder()

describe("a bank", () => {
  it("takes 5000 orders in a file, files of 32 MiB, and waits a quarter of an hour for a whole one", () => {
    const { account, bytesMax, ordersPerFileMax, patienceMillis } = euroBank({ folder })
    expect([account, bytesMax, ordersPerFileMax, patienceMillis]).toEqual(["••3000", 33_554_432, 5000, 900_000])
    const own = achBank({ folder, bytesMax: 1, ordersPerFileMax: 100_000, patienceMillis: 2 })
    expect([own.account, own.bytesMax, own.ordersPerFileMax, own.patienceMillis]).toEqual(["••7890", 1, 100_000, 2])
    expect(own.folder).toBe(folder)
    expect(Object.keys(euroBank({ folder: "x" }).folder)).toEqual(Object.keys(folder))
    expect(euroBank({ folder, ordersPerFileMax: 1 }).ordersPerFileMax).toBe(1)
  })

  it.each(["a", "0-9", `a${"b".repeat(30)}`])("may have the name %s", (name) => {
    expect(euroBank({ folder, name }).name).toBe(name)
  })

  it.each(["", "-a", "A", "a_b", `a${"b".repeat(31)}`, "a b", "é"])("cannot have the name %j", (name) => {
    expect(() => euroBank({ folder, name })).toThrow(
      new RangeError(`the bank ${name} cannot be used: \`name\` must have lower-case letters, digits and hyphens.`),
    )
  })

  it("is refused with the first thing that is wrong", () => {
    const account = { name: "Engines Ltd", iban: ourIban }
    const company = { companyName: "ENGINES LTD", companyId, odfi, bankName: "FIRST BANK" }
    const options = { name: "b", folder, calendar: berlin }
    const wrong = "the bank b cannot be used: "
    const cutOff = { ...berlin, cutOff: "25:00" }
    expect(() => isoBank({ ...options, calendar: cutOff, account: { ...account, iban: "DE" } })).toThrow(
      new RangeError(`${wrong}\`iban\` must be a valid IBAN without spaces.`),
    )
    expect(() => nachaBank({ ...options, company: { ...company, odfi: "1" } })).toThrow(
      new RangeError(`${wrong}\`odfi\` must be a routing number of nine digits.`),
    )
    expect(() => isoBank({ ...options, calendar: cutOff, ordersPerFileMax: 0, account })).toThrow(
      new RangeError(`${wrong}\`cutOff\` must be a time of day, such as 15:30.`),
    )
    for (const ordersPerFileMax of [0, 100_001, 1.5]) {
      expect(() => nachaBank({ ...options, ordersPerFileMax, company })).toThrow(
        new RangeError(`${wrong}\`ordersPerFileMax\` must be an integer from 1 to 100000.`),
      )
    }
  })

  it("has another name than every other", () => {
    const store = MemoryBankFileStore.make()
    expect(() => BankFiles.make([euroBank({ folder }), achBank({ folder, name: "euro" })], store)).toThrow(
      new RangeError("two banks have the same name"),
    )
    const files = BankFiles.make([euroBank({ folder }), achBank({ folder })], store)
    expect(files.names).toEqual(["euro", "ach"])
    expect(files.exchanging.everyMillis).toBe(60_000)
  })
})

describe("the layer of bank files", () => {
  it("has the rails, the exchange and the reconciliation, and the checks of an operator", async () => {
    const files = BankFiles.make([euroBank({ folder })], MemoryBankFileStore.make())
    const found = await Effect.runPromise(
      Effect.provide(
        Effect.gen(function* () {
          return [yield* BankExchange, yield* BankReconciliation, portChecksOf(yield* Rails).map(({ name }) => name)]
        }),
        files.layer,
      ),
    )
    expect(found).toEqual([files.exchanging, files.reconciliation, ["bank euro", "bank file store"]])
    expect(files.reconciliation.banks).toEqual([{ name: "euro", account: "••3000" }])
    expect(Object.keys(files.reconciliation.problems)).toHaveLength(10)
  })
})

describe("a check", () => {
  const store = MemoryBankFileStore.make()
  const findings = (banks: ReadonlyArray<Bank>, of = store) =>
    Promise.all(bankFileChecks(banks, of).map(async ({ name, run }) => ({ name, ...(await Effect.runPromise(run)) })))
  const fix = "create the folder, let the service write it, and keep its parts on one file system"
  const answers = { name: "bank file store", status: "ok", text: "the store of bank files answers" }

  it("finds folders and a store that can be used", async () => {
    expect(await findings([euroBank({ folder, name: "a-very-long-name" })])).toEqual([
      {
        name: "bank a-very-long",
        status: "ok",
        text: "the folder of the bank a-very-long-name can be used",
      },
      answers,
    ])
  })

  it("finds each problem of a folder, and one that does not answer", async () => {
    const broken = { ...folder, problems: Effect.succeed(["in is not a folder", "out cannot be written"]) }
    const gone = { ...folder, problems: Effect.fail(new FolderUnavailable({ operation: "check", code: "ENOENT" })) }
    expect(await findings([euroBank({ folder: broken }), achBank({ folder: gone })])).toEqual([
      {
        name: "bank euro",
        status: "problem",
        text: "the folder of the bank euro: in is not a folder, out cannot be written",
        fix,
      },
      {
        name: "bank ach",
        status: "problem",
        text: "the bank ach: the folder of the bank cannot be used: check, ENOENT",
        fix,
      },
      answers,
    ])
  })

  it("finds a store that does not answer", async () => {
    const cause = new Error("refused")
    expect(await findings([], { transact: () => Effect.fail(new BankFilesUnavailable({ cause })) })).toEqual([
      {
        name: "bank file store",
        status: "problem",
        text: "the store of bank files does not answer",
        fix: "start its database, and run PostgresBankFileStore.migrate once",
      },
    ])
  })
})
