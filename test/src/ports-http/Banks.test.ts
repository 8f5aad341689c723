/** The example banks in an embedded service: late outcomes are reported, and a restart forgets nothing. */
import { type PushRequest, Rails } from "@countersign/core/ports"
import { httpPorts } from "@countersign/ports-http"
import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { eventually } from "../e2e/Deadline.ts"
import { bankedService, pulled, reports, statusOf } from "./BankedService.ts"
import { type BankName, bankFolder, bankSecret, startBank } from "./BankProcess.ts"

const banks: ReadonlyArray<BankName> = ["python", "typescript"]

const outcomeOf = (url: string, push: PushRequest) =>
  Effect.runPromise(
    Effect.provide(
      Rails.use((rails) => rails.push(push)),
      httpPorts({ url, secrets: [Redacted.make(bankSecret)] }).rails,
    ),
  )

const accountInfo = { accountType: "USD_ACCOUNT", accountNumber: "12345678", routingNumber: "021000021" } as const
const destination = { accountId: "ExternalAccount:1", currency: "USD", accountInfo } as const

describe.each(banks)("the example bank in %s", (name) => {
  it("reports a late outcome, and the transaction is completed", async () => {
    await using taken = await reports()
    using folder = bankFolder()
    await using bank = await startBank(name, folder, { BANK_REPORTS_URL: taken.url, BANK_BOOKS_AFTER: "0" })
    await using service = await bankedService(bank.url, bankSecret, taken)
    const { id } = await pulled(service.client, 200_000)
    await eventually(
      "the report",
      () => taken.statuses,
      (statuses) => statuses.includes(200),
    )
    expect(await statusOf(service.client, id)).toBe("COMPLETED")
    expect(folder.executed()).toBe(1)
  })

  it("refuses what exceeds its limit, and the transaction fails", async () => {
    using folder = bankFolder()
    await using bank = await startBank(name, folder)
    await using service = await bankedService(bank.url, bankSecret)
    const { id } = await pulled(service.client, 1_000_001)
    await eventually(
      "the refusal",
      () => statusOf(service.client, id),
      (status) => status === "FAILED",
    )
    expect(folder.executed()).toBe(0)
  })

  it("answers a repeated reference alike after a restart, whatever the second order says", async () => {
    using folder = bankFolder()
    const push: PushRequest = { reference: "Transaction:1", destination, amount: 500, submittedAt: 0 }
    for (const amount of [500, 2_000_000]) {
      await using bank = await startBank(name, folder)
      expect(await outcomeOf(bank.url, { ...push, amount })).toEqual({ _tag: "Done" })
    }
    expect(folder.executed()).toBe(1)
  })

  it("accepts two secrets while they change, and no other", async () => {
    using folder = bankFolder()
    const newSecret = "the new port secret of the example banks"
    const push: PushRequest = { reference: "Transaction:1", destination, amount: 500, submittedAt: 0 }
    await using both = await startBank(name, folder, { BANK_SECRETS: `${newSecret},${bankSecret}` })
    expect(await outcomeOf(both.url, push)).toEqual({ _tag: "Done" })
    await using changed = await startBank(name, folder, { BANK_SECRETS: newSecret })
    expect(await outcomeOf(changed.url, push)).toEqual({ _tag: "Unknown", cause: "the answer has the status 401" })
  })
})
