/**
 * The interactive page of the interface in a browser, served by a fresh sandbox: no violation of its policy, search, and a request that is tried.
 * Source: D-440, D-441.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Browser, browser, type Page } from "../console/Browser.ts"
import { fitsEverywhere } from "../console/FitsEverywhere.ts"
import { type Person, person } from "../console/Person.ts"
import { eventually } from "../e2e/Deadline.ts"
import { credentials, newWorld, type World } from "../e2e/Flow.ts"

let world: World
let chrome: Browser
beforeAll(async () => {
  ;[world, chrome] = await Promise.all([newWorld(), browser()])
}, 120_000)
afterAll(async () => {
  await Promise.all([world[Symbol.asyncDispose](), chrome[Symbol.asyncDispose]()])
})

/** Notes each violation of the policy from the first script on. */
const watch =
  "window.violations = []; addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.sample))"

const textOf = async (page: Page) => String(await page.evaluate("document.body.innerText"))
const shows = (page: Page, text: string) =>
  eventually(
    `the page shows ${text}`,
    () => textOf(page),
    (seen) => seen.includes(text),
  )

const opened = async () => {
  const page = await chrome.page("about:blank")
  await page.send("Page.enable")
  await page.send("Page.addScriptToEvaluateOnNewDocument", { source: watch })
  await page.open(`${world.server.origin}/docs`)
  await shows(page, "getAgentMe")
  return page
}

const search = async (page: Page, phrase: string) => {
  await page.evaluate(
    "(() => { const field = document.querySelector('.operation-filter-input'); field.focus(); field.select() })()",
  )
  await page.send("Input.insertText", { text: phrase })
}

const click = async (page: Page, selector: string) => {
  const found = `document.querySelector(${JSON.stringify(selector)})`
  await eventually(`the page has ${selector}`, () => page.evaluate(`${found} !== null`), Boolean)
  await page.evaluate(`${found}.click()`)
}

it("finds an operation, tries it with the sandbox's credentials, and violates no policy", async () => {
  const page = await opened()
  await search(page, "platform config patch")
  await shows(page, "updatePlatformConfig")
  expect(await textOf(page)).not.toContain("getAgentMe")
  await search(page, "getPlatformConfig")
  await shows(page, "getPlatformConfig")
  await click(page, "#credentials")
  await shows(page, `Signed in as ${credentials.clientId}`)
  await click(page, ".opblock-summary-control")
  await shows(page, "curl -X GET")
  await click(page, ".samples-languages button:nth-of-type(3)")
  await shows(page, "import urllib.request")
  await shows(page, "Example Value")
  await click(page, ".execute")
  await eventually(
    "the answer of the sandbox",
    () => page.evaluate("document.querySelector('.live-responses-table tbody .response-col_status')?.textContent"),
    (status) => status === "200",
  )
  expect(await page.evaluate("JSON.stringify(violations)")).toBe("[]")
  expect(page.console).toEqual([])
})

/** Opens the operation of this id by the keyboard. */
const openOperation = async (reader: Person, id: string) => {
  await search(reader.page, id)
  await shows(reader.page, "1 operation and 0 webhooks")
  // The count is said before the list has been drawn again: the keyboard would walk through what goes away.
  await eventually(
    "the list has this operation alone",
    () =>
      reader.page.evaluate("[...document.querySelectorAll('.opblock')].map(({ id }) => id.split('-').at(-1)).join()"),
    (ids) => ids === id,
  )
  const focused = "document.activeElement.classList.contains('opblock-summary-control')"
  for (let tabs = 0; tabs < 5 && !(await reader.page.evaluate(focused)); tabs++) await reader.press("Tab")
  await reader.press("Enter")
  await eventually(
    "the operation is expanded",
    () =>
      reader.page.evaluate(
        "document.querySelector('.opblock-summary-control[aria-expanded=true]') !== null && document.querySelector('.samples') !== null",
      ),
    Boolean,
  )
}

const signedIn = async (page: Page) => {
  await click(page, "#credentials")
  await shows(page, "The examples have the ids of your newest records.")
}

it("puts the ids of real records into samples and forms once the reader has signed in", async () => {
  const page = await opened()
  const reader = person(page)
  await openOperation(reader, "getCustomerById")
  const placeholder = "Customer:00000000-0000-4000-8000-000000000001"
  await shows(page, `${placeholder} is in the answer of createCustomer.`)
  await signedIn(page)
  await shows(page, `\${HOST:-${world.server.origin}}/2025-10-13/customers/${world.customer.customerId}"`)
  expect(await textOf(page)).not.toContain(placeholder)
  const first = await opened()
  await signedIn(first)
  await openOperation(person(first), "getCustomerById")
  const values = "[...document.querySelectorAll('.opblock input')].map(({ value }) => value).join()"
  expect(await first.evaluate(values)).toBe(world.customer.customerId)
  await click(first, ".execute")
  await eventually(
    "the customer is read",
    () => first.evaluate("document.querySelector('.live-responses-table')?.innerText ?? ''"),
    (text) => String(text).includes("Ada Lovelace"),
  )
})

it("names the alternatives of a body", async () => {
  const page = await opened()
  await openOperation(person(page), "agentCreateExternalAccount")
  await click(page, ".opblock-section-request-body .tablinks[data-name=model]")
  await click(page, ".json-schema-2020-12-keyword--oneOf .json-schema-2020-12-accordion")
  await shows(page, "#0 UsdAccountCreateInfo")
})

it("says where the token of an agent comes from", async () => {
  const page = await opened()
  await openOperation(person(page), "getAgentMe")
  await shows(page, "AGENT_TOKEN is in the answer of redeemAgentDeviceCode.")
})

it("searches webhooks by the events that they carry, and counts what it found", async () => {
  const page = await opened()
  await search(page, "agent_action.pending")
  await shows(page, "0 operations and 1 webhook")
  const shown = await textOf(page)
  expect(shown).toContain("agentActionWebhook")
  expect(shown).not.toContain("cardTransactionWebhook")
  expect(shown).not.toContain("No operations defined")
})

it("fits all sizes and is readable in light and dark, in the list, in an operation, its answer and the dialog", async () => {
  const page = await opened()
  const reader = person(page)
  await fitsEverywhere(page)
  await page.send("Emulation.setDeviceMetricsOverride", { width: 390, height: 844, deviceScaleFactor: 1, mobile: true })
  const width = "document.querySelector('.operation-filter-input').getBoundingClientRect().width"
  expect(await page.evaluate(width)).toBeGreaterThan(300)
  await openOperation(reader, "agentCreateTransferIn")
  await fitsEverywhere(page)
  await page.evaluate("document.querySelectorAll('.tablinks[data-name=model]').forEach((tab) => tab.click())")
  await shows(page, "TransferInRequest")
  await fitsEverywhere(page)
  await click(page, ".execute")
  await eventually(
    "an answer",
    () => page.evaluate("document.querySelector('.live-responses-table') !== null"),
    Boolean,
  )
  await fitsEverywhere(page)
  await click(page, ".btn.authorize")
  await shows(page, "Available authorizations")
  await fitsEverywhere(page)
})

it.each(["guide", "static"])(
  "has a page %s that fits all sizes, light and dark",
  { timeout: 300_000 },
  async (name) => {
    const page = await chrome.page("about:blank")
    await page.open(`${world.server.origin}/docs/${name}`)
    await fitsEverywhere(page)
  },
)

it("is used by the keyboard alone: past the frame, with a visible focus, and within the dialog", async () => {
  const page = await opened()
  const reader = person(page)
  await reader.tabTo("Skip to the operations")
  await reader.press("Enter")
  await eventually("the focus is on the search", reader.focused, (name) => name === "Search operations and webhooks")
  await page.evaluate("document.querySelector('#credentials').focus()")
  await reader.tabTo("Authorize")
  expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid")
  await reader.press("Enter")
  await eventually("a dialog", () => page.evaluate("document.querySelector('[role=dialog]') !== null"), Boolean)
  for (let tabs = 0; tabs < 20; tabs++) {
    await reader.press("Tab")
    expect(await page.evaluate("document.activeElement.closest('.modal-ux') !== null")).toBe(true)
  }
  await reader.press("Escape")
  await eventually("the focus is back", reader.focused, (name) => name === "Authorize")
  await openOperation(reader, "sandboxGetClock")
  expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid")
})

it("names its search field, its languages and its way past the frame", async () => {
  const page = await opened()
  expect(await page.evaluate("document.querySelector('.operation-filter-input').getAttribute('aria-label')")).toBe(
    "Search operations and webhooks",
  )
  expect(await page.evaluate("document.querySelector('a.skip').hash")).toBe("#reference")
})

it("leads to the page without scripts where scripts are off", async () => {
  const page = await chrome.page("about:blank")
  await page.send("Emulation.setScriptExecutionDisabled", { value: true })
  await page.open(`${world.server.origin}/docs`)
  const address = async () => {
    // While one page replaces the other, the session has no page to ask.
    const { currentIndex, entries } = Object(await page.send("Page.getNavigationHistory").catch(() => undefined))
    return Object(Object(entries)[Number(currentIndex)])["url"]
  }
  await eventually("the plain page", address, (url) => url === `${world.server.origin}/docs/static`)
})
