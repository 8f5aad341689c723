/**
 * The area of events in a browser, by keyboard alone: the list with its filter, an event with its attempts, and sending it again.
 * Source: D-450 to D-452.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { textAt } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { credentials, newWorld, type World } from "../e2e/Flow.ts"
import { type Receiver, receiver } from "../e2e/Receiver.ts"
import { type Browser, browser } from "./Browser.ts"
import { fitsEverywhere } from "./FitsEverywhere.ts"
import { type Person, person } from "./Person.ts"

let world: World
let chrome: Browser
let endpoint: Receiver
let another: Receiver
let reader: Person
let eventId: string

beforeAll(async () => {
  ;[world, chrome, endpoint, another] = await Promise.all([newWorld(), browser(), receiver(), receiver()])
  // The test event of a new endpoint, and the first attempts of both events of the payment.
  endpoint.answerNext(500, 500, 500)
  await world.platform("PATCH", "/config", { body: { webhookEndpoint: endpoint.url } })
  const { accountId } = world.customer
  await world.platform("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: 700 } })
  const { event } = await endpoint.delivered(({ event: { type } }) => type === "INTERNAL_ACCOUNT.BALANCE_UPDATED")
  eventId = event.id
  reader = person(await chrome.page(`${world.server.origin}/console#events`))
  await reader.signIn(credentials.clientId, credentials.clientSecret)
  await reader.awaits("INTERNAL_ACCOUNT.BALANCE_UPDATED")
}, 120_000)
afterAll(async () => {
  await Promise.all([world, chrome, endpoint, another].map((each) => each[Symbol.asyncDispose]()))
})

it("lists events and filters them by type", async () => {
  expect(await reader.sees()).toContain("INCOMING_PAYMENT.COMPLETED")
  await fitsEverywhere(reader.page)
  await reader.tabTo("Type")
  await reader.type("INTERNAL_ACCOUNT.BALANCE_UPDATED")
  await reader.press("Enter")
  await eventually("the filtered list", reader.sees, (shown) => !shown.includes("INCOMING_PAYMENT.COMPLETED"))
  await reader.awaits("INTERNAL_ACCOUNT.BALANCE_UPDATED")
})

it("shows a failed attempt, then its retry, with body and signatures", async () => {
  await reader.tabTo("INTERNAL_ACCOUNT.BALANCE_UPDATED")
  await reader.press("Enter")
  await reader.awaits(eventId)
  await reader.awaits("answered 500")
  const shown = await reader.awaits("answered 200")
  for (const text of [
    world.customer.accountId,
    "Attempt 1",
    "Delivered",
    '"type": "INTERNAL_ACCOUNT.BALANCE_UPDATED"',
  ]) {
    expect(shown).toContain(text)
  }
  expect(shown).toMatch(/Attempt \d answered 500 .+, [\d,]+ ms/u)
  const last = (await reader.page.evaluate("document.querySelectorAll('.attempt').length")) as number
  await reader.tabTo(`Headers and signatures of attempt ${last}`)
  await reader.press("Enter")
  await reader.awaits("webhook-signature: v1,")
  await fitsEverywhere(reader.page)
  expect(reader.page.console).toEqual([])
})

it("goes to another address, whose attempt appears by itself", async () => {
  await reader.tabTo("Another address")
  await reader.type(another.url)
  await reader.press("Enter")
  const { event } = await another.delivered(() => true)
  expect(event.id).toBe(eventId)
  await reader.awaits(/Sent again \d/u)
  expect(await reader.sees()).toContain(another.url)
})

it("is sent again to the endpoint, with the same id", async () => {
  const before = endpoint.received.length
  await reader.tabTo("Send again")
  await reader.press("Enter")
  await eventually(
    "another delivery",
    async () => endpoint.received.length,
    (length) => length > before,
  )
  await eventually("the focus stays", reader.focused, (name) => name === "Send again")
  expect(endpoint.received.at(-1)?.event.id).toBe(eventId)
  expect(textAt(await world.platform("GET", `/operator/events/${eventId}`), "attempts", 0, "url")).toBe(endpoint.url)
})
