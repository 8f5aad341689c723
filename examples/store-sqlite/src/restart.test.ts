/** A service on the store continues after a restart, and a second process is refused. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { embed } from "@countersign/adapter-http"
import { Sandbox } from "@countersign/core/sandbox"
import { afterAll, expect, it } from "vitest"
import { SqliteStore } from "./SqliteStore.ts"

const folder = mkdtempSync(join(tmpdir(), "store-sqlite-"))
afterAll(() => rmSync(folder, { recursive: true }))

const credentials = { clientId: "demo", clientSecret: "demo-secret" }
const start = (file: string) =>
  embed({ store: SqliteStore.layer({ file }), ports: Sandbox.layer, sandbox: true, platforms: [credentials] })

it("has the customers and accounts of the service before it", { timeout: 600_000 }, async () => {
  const file = join(folder, "service.sqlite")
  const first = await start(file)
  const payload = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" } as const
  const customer = await first.client(credentials).customers.createCustomer({ payload })
  const accountsOf = (service: typeof first) =>
    service.client(credentials).customers.listCustomerInternalAccounts({ query: { customerId: customer.id } })
  const accounts = await accountsOf(first)
  expect(accounts.data.length).toBeGreaterThan(0)
  await first.dispose()

  const second = await start(file)
  const params = { customerId: customer.id }
  expect(await second.client(credentials).customers.getCustomerById({ params })).toEqual(customer)
  expect(await accountsOf(second)).toEqual(accounts)
  await second.dispose()
})

it("is refused a file that is open elsewhere", { timeout: 600_000 }, async () => {
  const file = join(folder, "shared.sqlite")
  const first = await start(file)
  await expect(start(file)).rejects.toThrow("database is locked")
  await first.dispose()
  await (await start(file)).dispose()
})
