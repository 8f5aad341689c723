/**
 * Scenarios and faults in the area Worlds, and the badge of faults on every page, with the keyboard alone, from a phone's width on, in light and
 * dark.
 * Source: D-472, D-480.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
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
}, 120_000)
afterAll(async () => {
  await Promise.all([world[Symbol.asyncDispose](), chrome[Symbol.asyncDispose]()])
})
beforeEach(async () => {
  reader = person(await chrome.page(`${world.server.origin}/console`))
  await reader.signIn(credentials.clientId, credentials.clientSecret)
  await reader.awaits("Approvals")
  await press("Worlds")
  await reader.awaits("A platform with failing webhooks")
})

const press = async (control: string) => {
  await reader.tabTo(control)
  await reader.press("Enter")
}
const faults = async () => (await world.platform("GET", "/sandbox/faults")).body

describe("a scenario of the page", { timeout: 120_000 }, () => {
  it("is run by its button, says what it made, and leads to the records", async () => {
    await press("Run: A payroll agent waiting for approval")
    await reader.awaits("A payroll agent waiting for approval: what it made")
    // The desk says that an action waits at the same moment.
    await reader.awaits(/5 records were made\.\s+A new action waits\.|A new action waits\.\s+5 records were made\./u)
    await fitsEverywhere(reader.page)
    const id = await reader.page.evaluate("document.querySelector('.scenario-result a')?.textContent")
    await press(String(id))
    await reader.awaits("Ada Lovelace")
    expect(reader.page.console).toEqual([])
  })

  it("sends webhooks to the inbox under the address that listens, where they arrive and fail", async () => {
    await press("Run: A platform with failing webhooks")
    await reader.awaits("A platform with failing webhooks: what it made")
    const inbox = await world.platform("GET", "/sandbox/inbox")
    expect(inbox.body).toMatchObject({ isEndpoint: true })
    expect(inbox.body["url"]).toContain(`${world.server.origin}/inbox/`)
    const messages = async () => (await world.platform("GET", "/sandbox/inbox/messages")).body["totalCount"]
    await eventually("a webhook in the inbox", messages, (count) => Number(count) > 0)
    await world.platform("DELETE", "/sandbox/faults")
  })

  it("says where it stopped and links to what stays", async () => {
    await world.platform("PUT", "/sandbox/faults", { body: { rail: { kind: "REJECT" } } })
    await press("Run: A platform at work")
    await reader.awaits("A platform at work: it stopped")
    await reader.awaits("the transaction is FAILED instead of COMPLETED")
    await fitsEverywhere(reader.page)
    await world.platform("DELETE", "/sandbox/faults")
  })
})

describe("the faults of the page", { timeout: 120_000 }, () => {
  it("are switched on with their settings, shown on every page, changed and switched off, with the keyboard alone", async () => {
    await reader.tabTo("Webhooks: status")
    await reader.type("500")
    await press("Switch on: Webhooks")
    await reader.awaits("Webhooks: the fault is on.")
    await reader.awaits("Faults on: webhooks")
    expect(await faults()).toMatchObject({ on: ["webhooks"], webhooks: { kind: "STATUS", status: 500, percent: 100 } })
    await press("Switch on: Rail")
    await reader.awaits("Faults on: rail, webhooks")
    await eventually("the focus stays", reader.focused, (name) => name === "Change: Rail")
    await fitsEverywhere(reader.page)
    for (const area of ["Events", "Books", "Requests"]) {
      await press(area)
      await reader.awaits("Faults on: rail, webhooks")
    }
    await press("Faults on: rail, webhooks")
    await reader.awaits("Switch off: Rail")
    await press("Switch off: Rail")
    await reader.awaits("Rail: the fault is off.")
    expect(await faults()).toMatchObject({ on: ["webhooks"] })
    await eventually("the focus is on the form", reader.focused, (name) => name === "Switch on: Rail")
    await press("Switch all faults off")
    await reader.awaits("All faults are off.")
    await eventually("the focus is on the part", reader.focused, (name) => name === "Faults")
    expect(await faults()).toMatchObject({ on: [] })
    const badge = () => reader.page.evaluate("document.querySelector('.faults-on')?.textContent")
    await eventually("the badge is gone", badge, (text) => text === "")
    expect(reader.page.console).toEqual([])
  })

  it("show what was switched elsewhere, and end with a reset of the world", async () => {
    await world.platform("PUT", "/sandbox/faults", { body: { issuer: { kind: "SLOW", slowSeconds: 90 } } })
    await reader.awaits("Faults on: issuer")
    await reader.awaits("Change: Card issuer")
    await press("Reset the world")
    await reader.awaits("Reset the world?")
    await press("Reset")
    await reader.awaits("The world was replaced")
    await reader.awaits("Switch on: Card issuer")
    expect(await faults()).toMatchObject({ on: [] })
  })
})
