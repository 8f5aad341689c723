/**
 * Signing in to the approvals page in a browser: by name, with and without a passkey, and the end of a session.
 * Source: D-214, D-352.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { at } from "../e2e/Client.ts"
import { credentials, held, newAgent, newWorld, transfer, type World } from "../e2e/Flow.ts"
import { type Browser, browser } from "./Browser.ts"
import { type Person, person } from "./Person.ts"

let chrome: Browser
beforeAll(async () => {
  chrome = await browser()
}, 120_000)
afterAll(() => chrome[Symbol.asyncDispose]())

describe("signing in", () => {
  let world: World
  let reader: Person
  beforeAll(async () => {
    world = await newWorld()
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(async () => {
    reader = person(await chrome.page(`${world.server.origin}/console`))
  })

  const signedIn = async () => {
    await reader.signIn(credentials.clientId, credentials.clientSecret)
    await reader.awaits("Waiting for approval")
  }

  it("refuses wrong credentials with a message, then accepts the right ones, and stores nothing", async () => {
    await reader.signIn(credentials.clientId, "wrong")
    await reader.awaits("The client id or the secret is wrong.")
    expect(await reader.page.evaluate(`document.querySelector("[role=alert]").textContent`)).toContain("wrong")
    expect(await reader.focused()).toBe("Client secret")
    await reader.type(credentials.clientSecret)
    await reader.press("Enter")
    await reader.awaits("Nothing waits.")
    const kept = await reader.page.evaluate(`JSON.stringify({
      local: localStorage.length, session: sessionStorage.length, cookie: document.cookie,
      html: document.documentElement.outerHTML, address: location.href,
      typed: [...document.querySelectorAll("input")].map(({ value }) => value),
    })`)
    // A script cannot read the session's cookie.
    expect(JSON.parse(String(kept))).toMatchObject({ local: 0, session: 0, cookie: "", typed: [] })
    expect(kept).not.toContain(credentials.clientSecret)
    await reader.tabTo("Sign out")
    await reader.press("Enter")
    await reader.awaits("Client secret")
  })

  it("fills in the credentials that a sandbox on the reader's own machine offers", async () => {
    await reader.awaits("Filled in by this sandbox")
    await reader.type("Grace Hopper")
    await reader.press("Enter")
    await reader.awaits("Nothing waits.")
  })

  it("survives a reload, and ends with the sign-out", async () => {
    await signedIn()
    await reader.page.open(`${world.server.origin}/console`)
    await reader.awaits("Waiting for approval")
    await reader.tabTo("Sign out")
    await reader.press("Enter")
    await reader.awaits("Client secret")
    await reader.page.open(`${world.server.origin}/console`)
    await reader.awaits("Client secret")
    expect(await reader.sees()).not.toContain("Waiting for approval")
  })

  it("asks for a valid name", async () => {
    await reader.signIn(credentials.clientId, credentials.clientSecret, "\u202eAda")
    await reader.awaits("Your name must be 1 to 80 letters, digits and spaces.")
  })

  it("ends after 15 minutes in which the approver does nothing, although the page polls", {
    timeout: 60_000,
  }, async () => {
    await signedIn()
    await world.platform("POST", "/sandbox/clock/advance", { body: { seconds: 14 * 60 } })
    await reader.page.open(`${world.server.origin}/console`)
    await reader.awaits("Nothing waits.")
    await world.platform("POST", "/sandbox/clock/advance", { body: { seconds: 60 } })
    await reader.awaits("Your session has ended. Sign in again.")
    expect(await reader.sees()).toContain("Client secret")
  })
})

it("registers a passkey at the first sign-in, asks for it at the next, and the audit says so", {
  timeout: 120_000,
}, async () => {
  await using world = await newWorld({ options: ["--console-passkeys", "required"] })
  const { customer, platform, server, source } = world
  const agent = await newAgent(server.base, platform, customer, {
    defaultExecutionMode: "APPROVAL_REQUIRED",
    spendingLimits: { currency: "USD", perTransactionLimit: 500_000 },
  })
  const actionId = await held(agent, transfer(source, customer, 200_000))
  // Browsers offer no passkeys for IP addresses.
  const newReader = async (authenticator: object) => {
    const page = await chrome.page("about:blank")
    await page.addAuthenticator({ ...authenticator })
    await page.open(`http://localhost:${server.port}/console`)
    return person(page)
  }
  const other = await newReader({ isUserVerified: false })
  await other.signIn(credentials.clientId, credentials.clientSecret)
  await other.awaits("No passkey was used.")
  const reader = await newReader({})
  for (const _ of ["registers", "uses"]) {
    await reader.page.open(`http://localhost:${server.port}/console`)
    await reader.signIn(credentials.clientId, credentials.clientSecret)
    await reader.awaits("$2,000.00 Transfer in")
    await reader.tabTo("Sign out")
    await reader.press("Enter")
    await reader.awaits("Client secret")
  }
  await reader.signIn(credentials.clientId, credentials.clientSecret)
  await reader.awaits("$2,000.00 Transfer in")
  await reader.tabTo("Approve")
  await reader.press("Enter")
  await reader.awaits("The money moves at once.")
  await reader.tabTo("Approve")
  await reader.press("Enter")
  await reader.awaits("Approved: $2,000.00 from Ada Lovelace.")
  const { body } = await platform("GET", `/audit-records?target=${actionId}&operation=AGENT_ACTION_APPROVE`)
  expect(at(body, "data", 0, "actor", "approver")).toMatchObject({ name: "Grace Hopper", proof: "PASSKEY" })
})
