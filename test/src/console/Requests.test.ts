/**
 * The area of requests in a browser, by keyboard alone: the list, its filter, new requests that appear by themselves, and one request.
 * Source: D-464.
 */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { sourceOf } from "../../../packages/test/src/harness/AgentWorld.ts"
import { textAt } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { credentials, newWorld, type World } from "../e2e/Flow.ts"
import { type Browser, browser } from "./Browser.ts"
import { fitsEverywhere } from "./FitsEverywhere.ts"
import { type Person, person } from "./Person.ts"

let world: World
let chrome: Browser
let reader: Person

beforeAll(async () => {
  ;[world, chrome] = await Promise.all([newWorld(), browser()])
  await world.platform("POST", `/sandbox/internal-accounts/${world.customer.accountId}/fund`, { body: { amount: 700 } })
  reader = person(await chrome.page(`${world.server.origin}/console#requests`))
  await reader.signIn(credentials.clientId, credentials.clientSecret)
  await reader.awaits("sandboxFundInternalAccount")
}, 120_000)
afterAll(async () => {
  await Promise.all([world, chrome].map((each) => each[Symbol.asyncDispose]()))
})

it("lists requests, and new ones by themselves", async () => {
  expect(await reader.page.evaluate("document.querySelector('nav a').textContent")).toBe("Requests")
  await fitsEverywhere(reader.page)
  await world.platform("GET", "/tokens?limit=7")
  await reader.awaits("GET /tokens?limit=7")
  expect(await reader.page.evaluate("document.querySelector('.requests a').textContent")).toBe("GET /tokens?limit=7")
})

it("filters them by a part of the path", async () => {
  await world.platform("GET", "/customers/Customer:unknown")
  await reader.awaits("404 USER_NOT_FOUND")
  await reader.tabTo("Path contains")
  await reader.type("/customers/Customer")
  await reader.press("Enter")
  await eventually("the filtered list", reader.sees, (shown) => !shown.includes("sandboxFundInternalAccount"))
  await reader.awaits("404 USER_NOT_FOUND")
})

it("filters them by a failed outcome", async () => {
  const { customerId } = world.customer
  await world.platform("GET", `/customers/${customerId}`)
  await reader.awaits(`GET /customers/${customerId}`)
  await reader.page.evaluate("document.querySelector('select[name=outcome]').focus()")
  for (const _ of ["Succeeded", "Failed"]) await reader.press("ArrowDown")
  await reader.tabTo("Filter")
  await reader.press("Enter")
  await eventually("the filtered list", reader.sees, (shown) => !shown.includes(`GET /customers/${customerId}`))
  await reader.awaits("404 USER_NOT_FOUND")
  const badges =
    "[...document.querySelectorAll('.requests .badge')].filter((each) => !/^[45]/u.test(each.textContent)).length"
  expect(await reader.page.evaluate(badges)).toBe(0)
})

it("shows a request with its answer", async () => {
  await reader.tabTo("GET /customers/Customer:unknown")
  await reader.press("Enter")
  await reader.awaits("All requests")
  const shown = await reader.awaits('"code": "USER_NOT_FOUND"')
  for (const text of ["getCustomerById", "API token", "Response", "Business time"]) expect(shown).toContain(text)
  await reader.tabTo("Headers of the response")
  await reader.press("Enter")
  await reader.awaits("content-type: application/json")
  await fitsEverywhere(reader.page)
  expect(reader.page.console).toEqual([])
})

it("copies a request as a command of curl that sends it again", async () => {
  const { accountId } = world.customer
  await world.platform("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: 1234 } })
  const id = textAt(
    await world.platform("GET", "/sandbox/requests?operation=sandboxFundInternalAccount&limit=1"),
    "data",
    0,
    "id",
  )
  await reader.page.evaluate(`location.hash = "#requests/${id}"`)
  await reader.awaits(id)
  await reader.page.evaluate("navigator.clipboard.writeText = async (text) => void (window.copied = text)")
  await reader.tabTo("Copy as curl")
  await reader.press("Enter")
  await reader.awaits("Copied.")
  const command = String(await reader.page.evaluate("window.copied"))
  expect(command).not.toContain(credentials.clientSecret)
  const env = {
    PATH: process.env["PATH"],
    COUNTERSIGN_CLIENT_ID: credentials.clientId,
    COUNTERSIGN_CLIENT_SECRET: credentials.clientSecret,
  }
  const { stdout } = await promisify(execFile)("bash", ["-c", `${command} --silent --show-error`], { env })
  expect(JSON.parse(stdout)).toMatchObject({ id: accountId })
  const funded = await world.platform("GET", "/sandbox/requests?operation=sandboxFundInternalAccount&limit=2")
  expect(textAt(funded, "data", 1, "id")).toBe(id)
  // A browser may refuse access to the clipboard.
  await reader.page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))")
  await reader.press("Enter")
  await reader.awaits("curl --request POST")
})

it("shows what a request wrote, with links to it, and which rule refused another", async () => {
  const { accountId } = world.customer
  await world.platform("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: 900 } })
  const account = { customerId: world.customer.customerId, ...sourceOf("99000") }
  const external = textAt(await world.platform("POST", "/customers/external-accounts", { body: account }), "id")
  const body = { source: { accountId }, destination: { accountId: external }, amount: 99_999 }
  await world.platform("POST", "/transfer-out", { body })
  const idOf = async (operation: string) =>
    textAt(await world.platform("GET", `/sandbox/requests?operation=${operation}&limit=1`), "data", 0, "id")
  await reader.page.evaluate(`location.hash = "#requests/${await idOf("sandboxFundInternalAccount")}"`)
  const written = await reader.awaits("INTERNAL_ACCOUNT.BALANCE_UPDATED")
  for (const text of ["Commit", "New Transaction", "$9.00", "webhook.deliver", "No rule failed."]) {
    expect(written).toContain(text)
  }
  await fitsEverywhere(reader.page)
  await reader.tabTo("INTERNAL_ACCOUNT.BALANCE_UPDATED")
  await reader.press("Enter")
  await reader.awaits("All events")
  await reader.page.evaluate(`location.hash = "#requests/${await idOf("createTransferOut")}"`)
  const refused = await reader.awaits("Refused")
  const [, rule = ""] = /Rule \d+ of \d+ in (\w+)/u.exec(refused) ?? []
  expect(rule).toBe("Decision")
  expect(refused).toContain("INSUFFICIENT_FUNDS")
  await fitsEverywhere(reader.page)
  expect(reader.page.console).toEqual([])
})

it("shows the key of a request, and what a refusal under a key wrote", async () => {
  const headers = { "idempotency-key": "console-refused" }
  const { accountId, customerId } = world.customer
  const account = { customerId, ...sourceOf("99001") }
  const external = textAt(await world.platform("POST", "/customers/external-accounts", { body: account }), "id")
  const body = { source: { accountId }, destination: { accountId: external }, amount: 99_999 }
  expect((await world.platform("POST", "/transfer-out", { body, headers })).status).toBe(400)
  await reader.page.evaluate("location.hash = '#requests'")
  await reader.awaits("key console-refused")
  const found = await world.platform("GET", "/sandbox/requests?operation=createTransferOut&limit=1")
  await reader.page.evaluate(`location.hash = "#requests/${textAt(found, "data", 0, "id")}"`)
  const shown = await reader.awaits("Commit")
  expect(shown).toContain("console-refused")
  await reader.awaits("a response that an idempotency key repeats")
  expect(await reader.page.evaluate("document.querySelectorAll('dl:empty').length")).toBe(0)
})

it("has 1,000 requests page by page", async () => {
  for (let batch = 0; batch < 10; batch++) {
    await Promise.all(Array.from({ length: 100 }, () => world.platform("GET", "/tokens?limit=1")))
  }
  await reader.page.evaluate("location.hash = '#requests'")
  await reader.awaits("Show older")
  const rows = async () => Number(await reader.page.evaluate("document.querySelectorAll('.requests li').length"))
  for (let pages = 2; pages <= 20; pages++) {
    await reader.page.evaluate(
      "[...document.querySelectorAll('button')].find((b) => b.textContent === 'Show older').click()",
    )
    await eventually("the next page", rows, (count) => count >= Math.min(50 * pages, 1_000))
  }
  await world.platform("GET", "/tokens?limit=9")
  await reader.awaits("GET /tokens?limit=9")
  expect(reader.page.console).toEqual([])
}, 60_000)
