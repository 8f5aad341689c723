/**
 * The playground of policies in a browser, by keyboard alone: try an action, change the policy, see what would happen, and save it.
 * Source: D-475 to D-477.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { at, textAt } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { type Agent, credentials, newAgent, newWorld, transfer, type World } from "../e2e/Flow.ts"
import { type Browser, browser } from "./Browser.ts"
import { fitsEverywhere } from "./FitsEverywhere.ts"
import { type Person, person } from "./Person.ts"

let world: World
let chrome: Browser
let reader: Person
let agent: Agent
let actionIds: ReadonlyArray<string>

const policyOf = async (...path: ReadonlyArray<string>) =>
  at((await world.platform("GET", `/agents/${agent.agentId}`)).body, "policy", ...path)

beforeAll(async () => {
  ;[world, chrome] = await Promise.all([newWorld(), browser()])
  const { customer } = world
  agent = await newAgent(world.server.base, world.platform, customer, {
    permissions: ["CREATE_TRANSFERS"],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 100_000 },
  })
  const path = `/sandbox/internal-accounts/${customer.accountId}/fund`
  await world.platform("POST", path, { body: { amount: 10_000 } })
  const submitted: Array<string> = []
  for (const amount of [300, 500, 900]) {
    const sent = await agent.send("POST", "/agents/me/transfer-in", { body: transfer(world.source, customer, amount) })
    submitted.push(textAt(sent, "id"))
  }
  actionIds = submitted
  reader = person(await chrome.page(`${world.server.origin}/console`))
  await reader.signIn(credentials.clientId, credentials.clientSecret)
  await reader.awaits("Approvals")
}, 120_000)
afterAll(async () => {
  await Promise.all([world[Symbol.asyncDispose](), chrome[Symbol.asyncDispose]()])
})

const threshold = "Needs an approval above, empty for none (USD)"

it("leads to the policy of an agent", async () => {
  await reader.tabTo("Policies")
  await reader.press("Enter")
  await reader.awaits("Choose an agent")
  await fitsEverywhere(reader.page)
  await reader.tabTo("Payroll")
  await reader.press("Enter")
  await reader.awaits("Policy of Payroll")
  const shown = await reader.awaits(
    "Of the last 3 actions 0 would have needed approval, today 0; 0 would have been refused, today 0.",
  )
  expect(actionIds).toHaveLength(3)
  expect(shown).toContain("Transfer in")
  await fitsEverywhere(reader.page)
})

it("decides the typed action by every rule", async () => {
  await reader.tabTo("Amount (USD)")
  await reader.type("12.345")
  await reader.awaits("Type an amount above 0 of this currency.")
  await reader.page.evaluate("document.activeElement.select()")
  await reader.type("1000.01")
  await reader.awaits("The tried action: Refused today, Refused after saving.")
  await reader.page.evaluate("document.activeElement.select()")
  await reader.type("4.50")
  const shown = await reader.awaits("The tried action: Runs today, Runs after saving.")
  expect(shown).toContain("$4.50 now, $995.50 left of $1,000.00")
  await fitsEverywhere(reader.page)
})

it("says what a changed policy would do with the latest actions, and saves nothing yet", async () => {
  const before = await policyOf()
  await reader.tabTo(threshold)
  await reader.type("4x")
  await reader.awaits("Type an amount above 0 with at most 2 decimals, such as 12.00.")
  await reader.page.evaluate("document.activeElement.select()")
  await reader.type("4")
  await reader.awaits("The tried action: Runs today, Needs approval after saving.")
  await reader.awaits(
    "Of the last 3 actions 2 would have needed approval, today 0; 0 would have been refused, today 0.",
  )
  expect(await reader.page.evaluate("document.querySelectorAll('tr.changed').length")).toBe(2)
  const rows = () => reader.page.evaluate("document.querySelector('tr.changed').parentElement.children.length")
  const toggle =
    "[...document.querySelectorAll('label')].find((each) => each.textContent.includes('Only actions')).click()"
  expect(await rows()).toBe(3)
  await reader.page.evaluate(toggle)
  await eventually("only what would change", rows, (count) => count === 2)
  await reader.page.evaluate(toggle)
  await eventually("every action", rows, (count) => count === 3)
  await fitsEverywhere(reader.page)
  expect(await policyOf()).toEqual(before)
})

it("names the changes, saves them, and compares with the saved policy from then on", async () => {
  await reader.tabTo("Save…")
  await reader.press("Enter")
  await reader.awaits("Save the policy of Payroll?")
  expect(await reader.sees()).toContain("Approval above: none → 4 USD")
  await fitsEverywhere(reader.page)
  await reader.press("Escape")
  await eventually("the dialog is closed", reader.sees, (shown) => !shown.includes("Save the policy of Payroll?"))
  await reader.tabTo("Save…")
  await reader.press("Enter")
  await reader.awaits("Save the policy of Payroll?")
  await reader.tabTo("Save")
  await reader.press("Enter")
  await reader.awaits("The policy of Payroll is saved.")
  await reader.awaits("Of the last 3 actions 2 would have needed approval, today 2;")
  expect(await policyOf("approvalThresholds")).toEqual({ currency: "USD", amount: 400 })
  expect(reader.page.console).toEqual([])
})

it("shows why another policy cannot be saved", async () => {
  await reader.tabTo("Per action (USD)")
  await reader.page.evaluate("document.activeElement.select()")
  await reader.page.send("Input.dispatchKeyEvent", {
    type: "keyDown",
    key: "Delete",
    code: "Delete",
    windowsVirtualKeyCode: 46,
  })
  await reader.awaits("Every policy has a limit per action.")
  const isDisabled = "[...document.querySelectorAll('button')].find((each) => each.textContent === 'Save…').disabled"
  expect(await reader.page.evaluate(isDisabled)).toBe(true)
  await fitsEverywhere(reader.page)
})
