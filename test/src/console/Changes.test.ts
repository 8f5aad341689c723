/**
 * How the page learns what changed: by the stream alone while it is open, by asking where it does not arrive, and not at all while hidden.
 * Source: D-453.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { eventually } from "../e2e/Deadline.ts"
import { type Agent, credentials, held, newAgent, newWorld, transfer, type World } from "../e2e/Flow.ts"
import { type Browser, browser, type Page } from "./Browser.ts"
import { type Person, person } from "./Person.ts"

let world: World
let chrome: Browser
let agent: Agent
let page: Page
let reader: Person

beforeAll(async () => {
  ;[world, chrome] = await Promise.all([newWorld(), browser()])
  agent = await newAgent(world.server.base, world.platform, world.customer, {
    spendingLimits: { currency: "USD", perTransactionLimit: 500_000 },
    defaultExecutionMode: "APPROVAL_REQUIRED",
  })
}, 120_000)
afterAll(async () => {
  await Promise.all([world[Symbol.asyncDispose](), chrome[Symbol.asyncDispose]()])
})

/** Keeps the page's streams, and ends the polling of a page that has one: each timer of 2.5 seconds or more runs never. */
const instrument = `{
  window.streams = []
  const Real = window.EventSource
  window.EventSource = class extends Real { constructor(url) { super(url); window.streams.push(this) } }
  window.EventSource.CLOSED = 2
  const later = window.setTimeout.bind(window)
  window.setTimeout = (run, millis, ...rest) => millis >= 2500 && window.isWithoutTimers ? 0 : later(run, millis, ...rest)
}`

beforeEach(async () => {
  page = await chrome.page(`${world.server.origin}/console`)
  reader = person(page)
  await page.evaluate(instrument)
})

const signIn = async () => {
  await reader.signIn(credentials.clientId, credentials.clientSecret)
  await reader.awaits("Connected")
}

const states = () => page.evaluate("window.streams.map(({ readyState }) => readyState)")
const becomes = (expected: ReadonlyArray<number>) =>
  eventually("the streams", states, (found) => JSON.stringify(found) === JSON.stringify(expected))

const show = (isHidden: boolean) =>
  page.evaluate(`Object.defineProperty(document, "hidden", { configurable: true, get: () => ${isHidden} })
    document.dispatchEvent(new Event("visibilitychange"))`)

const hold = (amount: number) => held(agent, transfer(world.source, world.customer, amount))

it("shows a new action and the end of another without asking from time to time", async () => {
  await page.evaluate("window.isWithoutTimers = true")
  await signIn()
  await becomes([1])
  const id = await hold(123_45)
  await reader.awaits("$123.45")
  expect(await world.platform("POST", `/agents/${agent.agentId}/actions/${id}/reject`)).toMatchObject({ status: 200 })
  await eventually("the end of the action", reader.sees, (shown) => !shown.includes("$123.45"))
  expect(page.console).toEqual([])
})

it("closes its stream while it is hidden, and then shows at once what it missed", async () => {
  await signIn()
  await becomes([1])
  await show(true)
  await becomes([2])
  const id = await hold(222_22)
  await show(false)
  await reader.awaits("$222.22")
  await becomes([2, 1])
  await world.platform("POST", `/agents/${agent.agentId}/actions/${id}/reject`)
})

it("asks from time to time where the stream does not arrive", async () => {
  await page.send("Network.enable")
  await page.send("Network.setBlockedURLs", { urls: ["*/operator/changes"] })
  await signIn()
  const id = await hold(333_33)
  await reader.awaits("$333.33")
  expect(await reader.sees()).toContain("Connected")
  await world.platform("POST", `/agents/${agent.agentId}/actions/${id}/reject`)
})

it("has no stream after the sign-out", async () => {
  await signIn()
  await becomes([1])
  await reader.tabTo("Sign out")
  await reader.press("Enter")
  await becomes([2])
})
