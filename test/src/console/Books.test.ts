/**
 * The areas Books and Time of the console in a browser, with the keyboard alone, from a phone's width on, in light and dark.
 * Source: D-454, D-455, D-456.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { at, textAt } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { type Customer, credentials, newCustomer, newWorld, usdAccount, type World } from "../e2e/Flow.ts"
import { type Browser, browser } from "./Browser.ts"
import { fitsEverywhere } from "./FitsEverywhere.ts"
import { type Person, person } from "./Person.ts"

let world: World
let chrome: Browser
let customer: Customer
let transactionId: string
let reader: Person

beforeAll(async () => {
  ;[world, chrome] = await Promise.all([newWorld(), browser()])
}, 120_000)
afterAll(async () => {
  await Promise.all([world[Symbol.asyncDispose](), chrome[Symbol.asyncDispose]()])
})

/** A customer with 1,000.00, of which 400.00 are on their way to an account whose bank refuses them after 30 seconds. */
beforeEach(async () => {
  customer = await newCustomer(world.platform)
  const { accountId, customerId } = customer
  const body = usdAccount("12345005", customerId)
  const outside = textAt(await world.platform("POST", "/customers/external-accounts", { body }), "id")
  await world.platform("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: 100_000 } })
  const order = { source: { accountId }, destination: { accountId: outside }, amount: 40_000 }
  transactionId = textAt(await world.platform("POST", "/transfer-out", { body: order }), "id")
  reader = person(await chrome.page(`${world.server.origin}/console`))
  await reader.signIn(credentials.clientId, credentials.clientSecret)
  await reader.awaits("Approvals")
})

const goTo = async (area: string) => {
  await reader.tabTo(area)
  await reader.press("Enter")
}

describe("the books", () => {
  it("show where the money of a transaction went, from the trial balance on, with the keyboard alone", async () => {
    await goTo("Books")
    const shown = await reader.awaits("Balanced")
    expect(shown).not.toContain("Does not balance")
    await reader.awaits("What the owner of an internal account can spend.")
    await eventually("the focus is on the area", reader.focused, (name) => name === "Trial balance")
    await fitsEverywhere(reader.page)
    await reader.tabTo("Transaction or account")
    await reader.type(customer.accountId)
    await reader.press("Enter")
    await reader.awaits("Balance $600.00, 2 entries")
    await reader.awaits("-$400.00")
    const account = await reader.awaits("+$1,000.00")
    expect(account).toContain(`available:${customer.accountId}`)
    await fitsEverywhere(reader.page)
    await reader.tabTo(`Transaction …${transactionId.slice(-6)}`)
    await reader.press("Enter")
    await reader.awaits("Transfers")
    const flow = await reader.awaits(/from Available.*to Held/u)
    expect(flow).toContain("$400.00")
    await fitsEverywhere(reader.page)
    const { nodes } = await reader.page.send("Accessibility.getFullAXTree")
    const images = (nodes as ReadonlyArray<object>).filter((node) =>
      /^im(age|g)$/u.test(String(at(node, "role", "value"))),
    )
    expect(images.map((node) => String(at(node, "name", "value")))).toEqual([
      expect.stringMatching(/^Flow of money: 1 from Available to Held/u),
    ])
    const linked = `Held, InternalAccount …${customer.accountId.slice(-6)}`
    await reader.tabTo(linked)
    await reader.press("Enter")
    await reader.awaits(`held:${customer.accountId}`)
    await reader.tabTo("Trial balance")
    await reader.press("Enter")
    await reader.awaits("Balanced")
    await reader.tabTo("Available")
    await reader.press("Enter")
    await reader.awaits(/Available, USD/u)
    await reader.awaits("$600.00")
    await fitsEverywhere(reader.page)
    expect(reader.page.console).toEqual([])
  })

  it("show an account without entries as such, not as an empty list", async () => {
    const query = `customerId=${customer.customerId}&currency=EUR`
    const empty = textAt(await world.platform("GET", `/customers/internal-accounts?${query}`), "data", 0, "id")
    await reader.page.evaluate(`location.hash = "#books/account/${encodeURIComponent(`available:${empty}`)}"`)
    await reader.awaits("0 entries")
    expect(await reader.page.evaluate("document.querySelectorAll('.ledger').length")).toBe(0)
  })

  it("say that a transaction that does not exist has moved nothing", async () => {
    await goTo("Books")
    await reader.awaits("Trial balance")
    await reader.tabTo("Transaction or account")
    await reader.type(transactionId.replace(/.$/u, (last) => (last === "0" ? "1" : "0")))
    await reader.press("Enter")
    await reader.awaits(/ledger transfer/u)
  })
})

describe("the time", () => {
  it("shows what falls due, moves to it, and tells what happened on the way", async () => {
    await goTo("Time")
    await reader.awaits("What falls due next")
    await reader.awaits("Pay out")
    await fitsEverywhere(reader.page)
    const linked = `[...document.querySelectorAll(".ledger a")].map(({ title, hash }) => title + " " + decodeURIComponent(hash))`
    expect(await reader.page.evaluate(linked)).toContain(`${transactionId} #records/${transactionId}`)
    await reader.tabTo("Advance to the next due job")
    await reader.press("Enter")
    const moved = await reader.awaits(/From .* to /u)
    expect(moved).toContain("Pay out")
    await reader.awaits(/It is now/u)
    await fitsEverywhere(reader.page)
    await reader.tabTo("Advance by")
    await reader.press("Enter")
    await reader.awaits("hour")
    await eventually(
      "the time is an hour ahead",
      async () => Number((await world.platform("GET", "/sandbox/clock")).body["aheadMillis"]),
      (ahead) => ahead >= 3_600_000,
    )
    await reader.awaits("Nothing falls due.")
    // The time in the header, which every area has, follows at once.
    await reader.awaits(/Sandbox time .+ 1 hour.* ahead\s+Connected/su)
    const { body } = await world.platform("GET", `/transactions/${transactionId}`)
    expect(body["status"]).toBe("FAILED")
    expect(reader.page.console).toEqual([])
  })

  it("moves to the job that is due next at the press, also if the one that it shows was done meanwhile", async () => {
    await goTo("Time")
    await reader.awaits("Pay out")
    // A hidden page reads nothing by itself, so that it still shows the job of before.
    await reader.page.evaluate(`Object.defineProperty(document, "hidden", { value: true, configurable: true })
      document.dispatchEvent(new Event("visibilitychange"))`)
    await world.platform("POST", "/sandbox/clock/advance", { body: { seconds: 600 } })
    const { accountId } = customer
    const body = usdAccount("77745005", customer.customerId)
    const outside = textAt(await world.platform("POST", "/customers/external-accounts", { body }), "id")
    const order = { source: { accountId }, destination: { accountId: outside }, amount: 100 }
    await world.platform("POST", "/transfer-out", { body: order })
    await reader.tabTo("Advance to the next due job")
    await reader.press("Enter")
    await reader.awaits(/From .* to /u)
    expect(await reader.page.evaluate("document.querySelector('[role=alert] .problem')")).toBeNull()
  })

  it("says why a date in the past is refused", async () => {
    await goTo("Time")
    await reader.awaits("What falls due next")
    await reader.page.evaluate(`(() => {
      const input = document.getElementById("advance-to")
      input.value = "2020-01-01T00:00"
      input.dispatchEvent(new Event("input", { bubbles: true }))
    })()`)
    await reader.tabTo("Go to date")
    await reader.press("Enter")
    await reader.awaits(/must lead to a time later than the present one/u)
  })
})
