/**
 * The area of records in a browser, by keyboard alone: found by an id, listed by type, read with their fields, and linked to one another.
 * Source: D-467.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { textAt } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { credentials, newAgent, newSource, newWorld, type World } from "../e2e/Flow.ts"
import { type Browser, browser } from "./Browser.ts"
import { fitsEverywhere } from "./FitsEverywhere.ts"
import { type Person, person } from "./Person.ts"

let world: World
let chrome: Browser
let reader: Person
let transactionId: string

beforeAll(async () => {
  ;[world, chrome] = await Promise.all([newWorld(), browser()])
  const { accountId } = world.customer
  const funded = await world.platform("POST", `/sandbox/internal-accounts/${accountId}/fund`, {
    body: { amount: 70_000 },
  })
  expect(funded.status).toBe(200)
  transactionId = textAt(await world.platform("GET", "/transactions?limit=1"), "data", 0, "id")
  reader = person(await chrome.page(`${world.server.origin}/console#records`))
  await reader.signIn(credentials.clientId, credentials.clientSecret)
  await reader.awaits("Ada Lovelace")
}, 120_000)
afterAll(async () => {
  await Promise.all([world, chrome].map((each) => each[Symbol.asyncDispose]()))
})

const arrowDown = async () => {
  const key = { key: "ArrowDown", code: "ArrowDown", windowsVirtualKeyCode: 40 }
  await reader.page.send("Input.dispatchKeyEvent", { type: "keyDown", ...key })
  await reader.page.send("Input.dispatchKeyEvent", { type: "keyUp", ...key })
}

it("lists customers first, and other types by choice", async () => {
  await fitsEverywhere(reader.page)
  await reader.tabTo("Type")
  for (const _ of ["Accounts", "External accounts", "Transactions"]) await arrowDown()
  await reader.tabTo("Filter")
  await reader.press("Enter")
  await reader.awaits("INCOMING")
  await reader.awaits("$700.00")
  await reader.tabTo("State")
  await reader.type("FAILED")
  await reader.press("Enter")
  await reader.awaits("No record fits the filter.")
})

it("finds a record by its id and shows its fields, its states and its history", async () => {
  await reader.tabTo("Find by id, your own customer or card id, UMA address or reference")
  await reader.type(transactionId.slice("Transaction:".length))
  await reader.press("Enter")
  await reader.awaits("Transaction INCOMING $700.00")
  const shown = await reader.awaits("Platform customer id")
  for (const text of [transactionId, world.customer.platformCustomerId, "Completed", "Created", "$700.00"]) {
    expect(shown).toContain(text)
  }
  await fitsEverywhere(reader.page)
  expect(reader.page.console).toEqual([])
})

it("shows who wrote a record that the audit does not have, and leads to the request", async () => {
  const { customerId } = world.customer
  await reader.page.evaluate(`location.hash = "#records/${encodeURIComponent(customerId)}"`)
  await reader.awaits("Customer Ada Lovelace")
  const shown = await reader.awaits(/POST \/customers 2\d\d by API token/u)
  expect(shown.indexOf("POST /customers")).toBeGreaterThan(shown.indexOf("History"))
  await fitsEverywhere(reader.page)
  await reader.tabTo("POST /customers")
  await reader.press("Enter")
  await reader.awaits("All requests")
  const request = await reader.awaits("createCustomer")
  expect(request).toContain(customerId)
})

it("shows the amounts of a policy as money, and its counts as numbers", async () => {
  const { agentId } = await newAgent(world.server.base, world.platform, world.customer, {
    spendingLimits: { currency: "USD", perTransactionLimit: 50_000, dailyLimit: 123_456, dailyTransactionLimit: 7 },
  })
  await reader.page.evaluate(`location.hash = "#records/${encodeURIComponent(agentId)}"`)
  const shown = await reader.awaits("Spending limits")
  expect(shown).toMatch(/Per transaction limit\s+\$500\.00\s/u)
  expect(shown).toMatch(/Daily limit\s+\$1,234\.56\s/u)
  expect(shown).toMatch(/Daily transaction limit\s+7\s/u)
  await fitsEverywhere(reader.page)
  await reader.page.evaluate(`location.hash = "#records/${encodeURIComponent(transactionId)}"`)
  await reader.awaits("Transaction INCOMING $700.00")
})

it("leads to the customer of a record, to what belongs to it, and to its events", async () => {
  await reader.tabTo(world.customer.customerId)
  await reader.press("Enter")
  await reader.awaits("Customer Ada Lovelace")
  await reader.tabTo("Transactions")
  await reader.press("Enter")
  await reader.awaits(transactionId)
  await fitsEverywhere(reader.page)
  const openLists = () => reader.page.evaluate(`document.querySelectorAll("details[open]").length`)
  expect(await openLists()).toBe(1)
  // Another record begins with its lists closed.
  await reader.page.evaluate(`location.hash = "#records/${encodeURIComponent(world.customer.accountId)}"`)
  await reader.awaits("INTERNAL_FIAT")
  expect(await openLists()).toBe(0)
  await reader.page.evaluate(`location.hash = "#records/${encodeURIComponent(world.customer.customerId)}"`)
  await reader.awaits("Customer Ada Lovelace")
  await reader.tabTo("Its events")
  await reader.press("Enter")
  await reader.awaits("Record or customer")
  const events = await reader.awaits("INCOMING_PAYMENT.COMPLETED")
  expect(events).toContain("INTERNAL_ACCOUNT.BALANCE_UPDATED")
  expect(await reader.page.evaluate("location.hash")).toBe(
    `#events/record/${encodeURIComponent(world.customer.customerId)}`,
  )
})

it("draws the machine of a state, with the present state and what is possible now", async () => {
  const account = await newSource(world.platform, world.customer, "777")
  await reader.page.evaluate(`location.hash = "#records/${encodeURIComponent(account)}"`)
  const shown = await reader.awaits("Possible now")
  for (const text of [
    "Review to Under review",
    "Deactivate to Inactive",
    "POST /sandbox/external-accounts/{externalAccountId}/status (sandboxSetExternalAccountStatus)",
    "Job account.verify",
  ]) {
    expect(shown).toContain(text)
  }
  const lit = "[...document.querySelectorAll('.state.present text')].map((each) => each.textContent).join()"
  expect(await reader.page.evaluate(lit)).toBe("Active")
  const possible = "[...document.querySelectorAll('.arrow.possible tspan')].map((each) => each.textContent).join()"
  expect(await reader.page.evaluate(possible)).toBe("Review,Deactivate")
  const section = "document.querySelector('.machine')"
  expect(await reader.page.evaluate(`${section}.getAttribute("aria-label")`)).toBe("State machine of external account")
  await reader.page.evaluate("document.querySelector('.machine-panel summary').click()")
  await reader.awaits("Fail proof")
  await fitsEverywhere(reader.page)
  // Another state is lit as soon as the record is read again.
  await world.platform("POST", `/sandbox/external-accounts/${account}/status`, { body: { status: "INACTIVE" } })
  await reader.page.evaluate(`location.hash = "#records"`)
  await reader.awaits("Ada Lovelace")
  await reader.page.evaluate(`location.hash = "#records/${encodeURIComponent(account)}"`)
  await eventually(
    "the new state",
    async () => String(await reader.page.evaluate(lit)),
    (text) => text === "Inactive",
  )
  expect(await reader.page.evaluate(possible)).toBe("Activate")
})

it("finds an event by its id", async () => {
  const eventId = textAt(await world.platform("GET", "/operator/events?limit=1"), "data", 0, "id")
  await reader.page.evaluate(`location.hash = "#records"`)
  await reader.awaits("Ada Lovelace")
  await reader.tabTo("Find by id, your own customer or card id, UMA address or reference")
  await reader.type(eventId)
  await reader.press("Enter")
  await reader.awaits("All events")
  expect(await reader.awaits("Attempts")).toContain(eventId)
})

it("says so when no record has the id", async () => {
  await reader.page.evaluate(`location.hash = "#records/type/Card"`)
  await reader.awaits("There are none yet.")
  await reader.tabTo("Find by id, your own customer or card id, UMA address or reference")
  await reader.type("unknown")
  await reader.press("Enter")
  await reader.awaits("No record has this id or key.")
  await reader.page.evaluate(`location.hash = "#records/Card%3Aunknown"`)
  await eventually("the problem", reader.sees, (text) => /not found|does not exist|no such/iu.test(text))
  expect(await reader.focused()).toContain("Record")
})
