/**
 * Sending a kept request again in a browser, by keyboard alone.
 * Source: D-478.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
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
  reader = person(await chrome.page(`${world.server.origin}/console#requests`))
  await reader.signIn(credentials.clientId, credentials.clientSecret)
  await reader.awaits("Requests")
}, 120_000)
afterAll(async () => {
  await Promise.all([world, chrome].map((each) => each[Symbol.asyncDispose]()))
})

const latest = async (operation: string, index = 0) =>
  textAt(await world.platform("GET", `/sandbox/requests?operation=${operation}&limit=5`), "data", index, "id")
const open = async (id: string) => {
  await reader.page.evaluate(`location.hash = "#requests/${id}"`)
  await reader.awaits(id)
}
const isFocused = (text: string) =>
  eventually(
    "the focus",
    async () => String(await reader.page.evaluate("document.activeElement.textContent")).trim(),
    (shown) => shown === text,
  )

it("sends a request again and opens the new one, which links to the first", async () => {
  const { accountId } = world.customer
  await world.platform("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: 4321 } })
  const id = await latest("sandboxFundInternalAccount")
  await open(id)
  await reader.tabTo("Send again")
  await reader.press("Enter")
  const asked = await reader.awaits("Send this request again?")
  expect(asked).toContain("What it changes, it changes again.")
  expect(asked).not.toContain("Idempotency key\nA new key")
  await fitsEverywhere(reader.page)
  await reader.press("Escape")
  await isFocused("Send again")
  await reader.press("Enter")
  await reader.awaits("Send this request again?")
  await reader.tabTo("Send")
  await reader.press("Enter")
  await reader.awaits("Sent again. The answer has the status 200.")
  const shown = await reader.awaits("Sent again from")
  const again = await latest("sandboxFundInternalAccount")
  expect(again).not.toBe(id)
  for (const text of [again, id, "$43.21"]) expect(shown).toContain(text)
  await fitsEverywhere(reader.page)
  await reader.tabTo(id)
  await reader.press("Enter")
  await reader.awaits(`Request id\n${id}`)
  expect(reader.page.console).toEqual([])
})

it("sends it with the same key, if its reader chooses that", async () => {
  const headers = { "idempotency-key": "console-1" }
  await world.platform("POST", "/webhooks/keys/rotate", { body: {}, headers })
  await open(await latest("rotateWebhookKeys"))
  await reader.tabTo("Send again")
  await reader.press("Enter")
  await reader.awaits("A new key: it happens once more")
  await fitsEverywhere(reader.page)
  await reader.page.evaluate("document.querySelector('dialog input[value=NEW]').focus()")
  await reader.press("ArrowDown")
  await reader.press("Enter")
  await reader.awaits("Sent again from")
  await reader.awaits("Replayed")
  const { data } = (await world.platform("GET", "/sandbox/requests?operation=rotateWebhookKeys")).body as {
    data: ReadonlyArray<{ readonly idempotencyKey: string }>
  }
  expect(data.map(({ idempotencyKey }) => idempotencyKey)).toEqual(["console-1", "console-1"])
})

it("says why a request cannot be sent again, and shows what the service refuses", async () => {
  await world.platform("POST", "/customers", { body: { customerTyp: "INDIVIDUAL" } })
  await open(await latest("createCustomer"))
  const shown = await reader.awaits("Cannot be sent again.")
  expect(shown).toContain("Missing: body.customerTyp.")
  expect(shown).not.toContain("Send again\n")
  await fitsEverywhere(reader.page)
  const made = await world.platform("POST", "/tokens", { body: { name: "Reader", permissions: ["VIEW"] } })
  const { clientId, clientSecret, id } = made.body as Record<"clientId" | "clientSecret" | "id", string>
  const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
  await fetch(`${world.server.base}/customers`, { headers: { authorization } })
  await world.platform("DELETE", `/tokens/${id}`)
  await open(await latest("listCustomers"))
  await reader.tabTo("Send again")
  await reader.press("Enter")
  await reader.awaits("It only reads.")
  await reader.tabTo("Send")
  await reader.press("Enter")
  await reader.awaits("The API token of this request no longer has access.")
  await fitsEverywhere(reader.page)
})
