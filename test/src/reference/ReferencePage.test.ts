/**
 * The interactive page of the interface in a browser, served by a fresh sandbox: no violation of its policy, search, and a request that is tried.
 * Source: D-440, D-441.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Browser, browser, type Page } from "../console/Browser.ts"
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

it("names its search field, its languages and its way past the frame", async () => {
  const page = await opened()
  expect(await page.evaluate("document.querySelector('.operation-filter-input').getAttribute('aria-label')")).toBe(
    "Search operations",
  )
  expect(await page.evaluate("document.querySelector('a.skip').hash")).toBe("#reference")
})

it("leads to the page without scripts where scripts are off", async () => {
  const page = await chrome.page("about:blank")
  await page.send("Emulation.setScriptExecutionDisabled", { value: true })
  await page.open(`${world.server.origin}/docs`)
  const address = async () => {
    const { currentIndex, entries } = await page.send("Page.getNavigationHistory")
    return Object(Object(entries)[Number(currentIndex)])["url"]
  }
  await eventually("the plain page", address, (url) => url === `${world.server.origin}/docs/static`)
})
