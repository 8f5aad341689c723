/**
 * A kept request as a test, in a browser, by keyboard alone.
 * Source: D-479.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { textAt } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { credentials, newWorld, type World } from "../e2e/Flow.ts"
import { run } from "../harness/Tapes.ts"
import { type Browser, browser } from "./Browser.ts"
import { fitsEverywhere } from "./FitsEverywhere.ts"
import { type Person, person } from "./Person.ts"

let world: World
let chrome: Browser
let reader: Person

beforeAll(async () => {
  ;[world, chrome] = await Promise.all([newWorld(), browser()])
  reader = person(await chrome.page(`${world.server.origin}/console#requests`))
  await reader.signIn(credentials.clientId, credentials.clientSecret)
  await reader.awaits("Requests")
}, 120_000)
afterAll(async () => {
  await Promise.all([world, chrome].map((each) => each[Symbol.asyncDispose]()))
})

const latest = async (operation: string) =>
  textAt(await world.platform("GET", `/sandbox/requests?operation=${operation}&limit=1`), "data", 0, "id")
const open = async (id: string) => {
  await reader.page.evaluate(`location.hash = "#requests/${id}"`)
  await reader.awaits(id)
}

it("shows the program, copies it, and it passes where it is run", async () => {
  const { accountId } = world.customer
  await world.platform("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: 4321 } })
  await world.platform("GET", `/internal-accounts/${accountId}`)
  await open(await latest("getInternalAccount"))
  await reader.tabTo("As test")
  await reader.press("Enter")
  const shown = await reader.awaits("node --test request.test.mjs")
  expect(shown).toContain("await using pay = await harness()")
  expect(shown).toMatch(/Repeats \d+ requests and checks their statuses/u)
  expect(await reader.page.evaluate("document.activeElement.id")).toBe("as-test")
  await fitsEverywhere(reader.page)
  await reader.page.evaluate("navigator.clipboard.writeText = async (text) => void (window.copied = text)")
  await reader.tabTo("Copy the program")
  await reader.press("Enter")
  await reader.awaits("Copied.")
  const program = String(await reader.page.evaluate("window.copied"))
  for (const secret of [credentials.clientSecret, accountId]) expect(program).not.toContain(secret)
  const { code, output } = await run(process.execPath, ["--input-type=module", "--test-reporter=tap", "-e", program])
  expect(code, output).toBe(0)
  expect(reader.page.console).toEqual([])
}, 60_000)

it("shows the other forms, and closes", async () => {
  await reader.page.evaluate("document.querySelector('.as-test select').focus()")
  await reader.press("ArrowDown")
  await reader.awaits("node request.mjs")
  await reader.press("ArrowDown")
  await reader.awaits("bash request.sh")
  await fitsEverywhere(reader.page)
  await reader.page.evaluate(
    "[...document.querySelectorAll('button')].find((b) => b.textContent === 'As test').focus()",
  )
  await reader.press("Enter")
  await eventually("the closed program", reader.sees, (text) => !text.includes("bash request.sh"))
})

it("names what the program must be given, and what cannot be repeated", async () => {
  await world.platform("POST", "/customers", { body: { customerTyp: "INDIVIDUAL" } })
  await open(await latest("createCustomer"))
  await reader.tabTo("As test")
  await reader.press("Enter")
  const shown = await reader.awaits("CUSTOMER_TYP_1")
  expect(shown).toContain("which the journal has masked")
  await fitsEverywhere(reader.page)
  await world.platform("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "A".repeat(40_000) } })
  await open(await latest("createCustomer"))
  await reader.tabTo("As test")
  await reader.press("Enter")
  await reader.awaits("No program can repeat this request")
  await fitsEverywhere(reader.page)
})
