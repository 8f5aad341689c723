/**
 * The page of a live server in a browser: which areas it has, every call that it makes, and that it changes nothing by itself.
 * Source: D-446, D-469.
 */
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, it } from "vitest"
import { basic, textAt } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { credentials, held, newWorld, transfer, type World } from "../e2e/Flow.ts"
import { newFolder } from "../e2e/Folder.ts"
import { cookieOf, newApprovingAgent, pageOf, signIn } from "../hostile/ConsoleVisitor.ts"
import { type Browser, browser } from "./Browser.ts"
import { fitsEverywhere } from "./FitsEverywhere.ts"
import { type Person, person } from "./Person.ts"

const ports = fileURLToPath(new URL("./ReconciledPorts.ts", import.meta.url))
let folder: Awaited<ReturnType<typeof newFolder>>
let world: World
let chrome: Browser
let reader: Person
let actionId: string

beforeAll(async () => {
  ;[folder, chrome] = await Promise.all([newFolder(), browser()])
  const options = ["--mode", "live", "--ports", ports, "--console", "on", "--store", `pglite:${folder.path}`]
  world = await newWorld({ options })
  const agent = await newApprovingAgent(world)
  actionId = await held(agent, transfer(world.source, world.customer, 200))
  const page = pageOf(world, cookieOf(await signIn({ world }, "Ada Lovelace")))
  const approved = await page.api("POST", `/agents/${agent.agentId}/actions/${actionId}/approve`)
  expect(approved.status).toBe(200)
  reader = person(await chrome.page(`${world.server.origin}/console`))
  await reader.signIn(credentials.clientId, credentials.clientSecret)
  await reader.awaits("Nothing waits.")
  await reader.page.evaluate(`(() => {
    const send = window.fetch
    window.calls = new Set()
    window.fetch = (address, options) => {
      const { pathname } = new URL(address)
      window.calls.add(options.method + " " + pathname.replace(/[A-Za-z]+:[0-9a-f-]{36}|[A-Za-z]+%3A[0-9a-f-]{36}/gu, "{id}"))
      return send(address, options)
    }
  })()`)
}, 120_000)
afterAll(async () => {
  await Promise.all([world, chrome].map((each) => each[Symbol.asyncDispose]()))
  await folder[Symbol.asyncDispose]()
})

const go = (hash: string) => reader.page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
const texts = async (selector: string) =>
  JSON.parse(
    String(
      await reader.page.evaluate(
        `JSON.stringify([...document.querySelectorAll(${JSON.stringify(selector)})].map(({ textContent }) => textContent))`,
      ),
    ),
  ) as ReadonlyArray<string>

it("has approvals, events, history, records, the audit and the reconciliation, and no other area", async () => {
  expect(await texts("nav a")).toEqual(["Approvals", "Events", "History", "Records", "Audit", "Reconciliation"])
  await go("#books")
  await reader.awaits("Nothing waits.")
})

it("shows who approved an action, in the history and on its record", async () => {
  await go("#history")
  await reader.awaits("Approved by Ada Lovelace, by the client secret")
  await go(`#records/${encodeURIComponent(actionId)}`)
  const shown = await reader.awaits(/A held action was approved by Ada Lovelace/u)
  expect(shown).toMatch(/Pending approval\s+to\s+Approved/u)
  await fitsEverywhere(reader.page)
})

it("lists the audit, by what was done", async () => {
  await go("#audit")
  await reader.awaits("A held action was approved")
  await reader.awaits("An agent was created")
  await fitsEverywhere(reader.page)
  await reader.tabTo("Record")
  await reader.type(actionId)
  await reader.press("Enter")
  await reader.awaits("A held action was approved")
  expect(await texts(".audit .name")).not.toContain("An agent was created")
  await reader.tabTo(actionId)
  await reader.press("Enter")
  await reader.awaits("Possible now")
})

it("shows by day which statement lines agree, and what does not and why, with the keyboard alone", async () => {
  await reader.tabTo("Reconciliation")
  await reader.press("Enter")
  const shown = await reader.awaits("Something does not agree")
  expect(shown).toMatch(
    /2 findings.*Suspicious statement line.*AMOUNT_DIFFERS: The amount is not that of the order\./su,
  )
  expect(shown).toMatch(/Sums that must agree.*euros, out.*€40\.00.*€40\.00.*€0\.00.*Differs/su)
  expect(shown).toMatch(/Days.*euros\s••3000/su)
  await fitsEverywhere(reader.page)
  await reader.tabTo("Verdict")
  await reader.press("ArrowDown")
  await reader.press("ArrowDown")
  await eventually(
    "the unmatched finding",
    () => texts(".ledger .name"),
    (names) => names.includes("Unmatched statement line") && !names.includes("Suspicious statement line"),
  )
  await reader.tabTo("Bank")
  await reader.type("pounds")
  await reader.press("Enter")
  await reader.awaits("bank: must be of euros")
  await fitsEverywhere(reader.page)
})

it("reads by documented operations and changes nothing", async () => {
  await go("#records")
  await reader.awaits("Ada Lovelace")
  await go(`#records/${encodeURIComponent(world.customer.customerId)}`)
  await reader.awaits("Belongs to it")
  await go("#events")
  await reader.awaits("Record or customer")
  const eventId = textAt(await world.platform("GET", "/operator/events?limit=1"), "data", 0, "id")
  await go(`#events/${encodeURIComponent(eventId)}`)
  await reader.awaits("Attempts")
  const base = new URL(world.server.base).pathname
  const calls = JSON.parse(
    String(await reader.page.evaluate("JSON.stringify([...window.calls])")),
  ) as ReadonlyArray<string>
  expect(calls.map((call) => call.replace(base, "")).toSorted()).toEqual([
    "GET /agents/approvals",
    "GET /agents/{id}",
    "GET /audit-records",
    "GET /customers/external-accounts/{id}",
    "GET /customers/{id}",
    "GET /internal-accounts/{id}",
    "GET /operator/books/reconciliation",
    "GET /operator/events",
    "GET /operator/events/{id}",
    "GET /operator/records",
    "GET /operator/records/{id}",
  ])
  expect(reader.page.console).toEqual([])
})

it("gives a session no more than its API token, and nothing to change but approvals", async () => {
  const page = pageOf(world, cookieOf(await signIn({ world }, "Ada Lovelace")))
  expect((await page.api("GET", "/audit-records")).status).toBe(200)
  const eventId = textAt(await world.platform("GET", "/operator/events?limit=1"), "data", 0, "id")
  expect((await page.api("POST", `/operator/events/${eventId}/resend`)).status).toBe(403)
  const created = await world.platform("POST", "/tokens", { body: { name: "Viewer", permissions: ["VIEW"] } })
  const authorization = basic(textAt(created, "clientId"), textAt(created, "clientSecret"))
  const viewer = pageOf(world, cookieOf(await signIn({ world, authorization }, "Ada Lovelace")))
  expect((await viewer.api("GET", "/operator/records?type=Customer")).status).toBe(200)
  expect((await viewer.api("GET", "/audit-records")).status).toBe(403)
})
