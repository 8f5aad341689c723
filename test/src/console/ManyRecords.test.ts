/**
 * The console with thousands of customers and their events: a page of a list at a time, so that neither the document nor the number of
 * requests grows with what there is or with what was read.
 * Source: D-467.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { eventually } from "../e2e/Deadline.ts"
import { credentials, newWorld, type World } from "../e2e/Flow.ts"
import { type Browser, browser } from "./Browser.ts"
import { type Person, person } from "./Person.ts"

/** Enough for the pages below; the 10,000 that the console is made for take a minute to create. */
const many = Number(process.env["COUNTERSIGN_TEST_CUSTOMERS"] ?? 3000)
const atOnce = 100
const nodesMax = 2_500

let world: World
let chrome: Browser
let reader: Person

beforeAll(async () => {
  ;[world, chrome] = await Promise.all([newWorld(), browser()])
  for (let first = 0; first < many; first += atOnce) {
    const replies = await Promise.all(
      Array.from({ length: atOnce }, (_, index) =>
        world.platform("POST", "/customers", {
          body: {
            customerType: "INDIVIDUAL",
            fullName: `Person ${first + index}`,
            platformCustomerId: `p-${first + index}`,
          },
        }),
      ),
    )
    expect(replies.filter(({ status }) => status !== 201)).toEqual([])
  }
  reader = person(await chrome.page(`${world.server.origin}/console#records`))
  await reader.signIn(credentials.clientId, credentials.clientSecret)
  await reader.awaits(`Person ${many - 1}`)
}, 600_000)
afterAll(async () => {
  await Promise.all([world, chrome].map((each) => each[Symbol.asyncDispose]()))
})

const nodes = async () => Number(await reader.page.evaluate("document.querySelectorAll('*').length"))
const listed = async (path: string) =>
  Number(
    await reader.page.evaluate(
      `performance.getEntriesByType("resource").filter(({ name }) => name.includes(${JSON.stringify(path)})).length`,
    ),
  )

/** Turns 20 pages by keyboard, with one request for each, and a document that stays as small. */
const turnsPages = async (path: string) => {
  await reader.page.evaluate("performance.setResourceTimingBufferSize(5000)")
  // More links come before it than a reader would step through.
  await reader.page.evaluate(
    "[...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Older').focus()",
  )
  const before = await listed(path)
  for (let page = 2; page <= 21; page++) {
    await reader.press("Enter")
    await reader.awaits(new RegExp(`Page ${page}\\b`, "u"))
    expect(await nodes()).toBeLessThan(nodesMax)
  }
  // The list's own reading again of its first page may fall between.
  expect((await listed(path)) - before).toBeLessThanOrEqual(25)
}

it("turns pages of customers, finds one of them and filters", async () => {
  await turnsPages("/operator/records?")
  await reader.tabTo("Find by id, your own customer or card id, UMA address or reference")
  await reader.type("p-1234")
  await reader.press("Enter")
  await reader.awaits("Customer Person 1234")
  expect(await nodes()).toBeLessThan(nodesMax)
}, 120_000)

it("turns pages of events and filters them", async () => {
  await reader.page.evaluate(`location.hash = "#events"`)
  await reader.awaits("Record or customer")
  await eventually("the first page", reader.sees, (text) => /Page 1\b/u.test(text))
  await turnsPages("/operator/events?")
  await reader.tabTo("Type")
  await reader.type("CUSTOMER.KYC_APPROVED")
  // A hidden page asks nothing by itself: what appears is what the filter asked for.
  await reader.page.evaluate(`Object.defineProperty(document, "hidden", { value: true, configurable: true })`)
  await reader.press("Enter")
  await reader.awaits(/Page 1\b/u)
  await reader.awaits("CUSTOMER.KYC_APPROVED")
  await reader.page.evaluate("delete document.hidden")
  expect(await nodes()).toBeLessThan(nodesMax)
}, 120_000)

/** Holds the answers to some requests for events until they are released. */
const holdsAnswers = (isHeld: (address: string) => boolean) =>
  reader.page.evaluate(`(() => {
    const isHeld = ${isHeld}
    const send = window.fetch
    window.answers = []
    window.fetch = async (address, options) => {
      const answer = await send(address, options)
      const isEvents = String(address).includes("/operator/events?")
      if (isEvents && isHeld(String(address))) await new Promise((done) => window.answers.push(done))
      return answer
    }
  })()`)
const heldAnswers = (count: number) =>
  eventually(
    `${count} held answers`,
    () => reader.page.evaluate("window.answers.length"),
    (held) => Number(held) >= count,
  )
const looksAgain = `document.dispatchEvent(new Event("visibilitychange"))`
const focusOlder = `[...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Older").focus()`
/** Waits until the page has handled what arrived: an answer that was sent later is read later. */
const hasHandled = async () => {
  await reader.page.evaluate("fetch(location.href).then((answer) => answer.text())")
  await reader.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
}

it("stays on the page that was turned to while the first one was read", async () => {
  await holdsAnswers((address) => !address.includes("cursor="))
  await reader.page.evaluate(looksAgain)
  await reader.page.evaluate(focusOlder)
  await heldAnswers(1)
  await reader.press("Enter")
  await reader.awaits(/Page 2\b/u)
  await reader.page.evaluate("window.answers.forEach((done) => done())")
  await hasHandled()
  expect(await reader.sees()).toMatch(/Page 2\b/u)
}, 60_000)

it("turns the page for the last of two presses, whatever is read between their answers", async () => {
  await reader.page.open("about:blank")
  await reader.page.open(`${world.server.origin}/console#events`)
  await reader.awaits(/Page 1\b/u)
  await holdsAnswers((address) => address.includes("cursor="))
  await reader.page.evaluate(focusOlder)
  await reader.press("Enter")
  await reader.press("Enter")
  await heldAnswers(2)
  await reader.page.evaluate("window.answers[0]()")
  await hasHandled()
  await reader.page.evaluate(looksAgain)
  await hasHandled()
  await reader.page.evaluate("window.answers[1]()")
  await reader.awaits(/Page 2\b/u)
}, 60_000)
