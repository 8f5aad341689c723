/**
 * The approvals page in a browser: signing in, the list, decisions with the keyboard alone, and no stored credentials.
 * Source: D-214.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { at, textAt } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import {
  type Agent,
  type Customer,
  credentials,
  held,
  newAgent,
  newCustomer,
  newSource,
  newWorld,
  transfer,
  type World,
} from "../e2e/Flow.ts"
import { type Browser, browser } from "./Browser.ts"
import { fitsEverywhere } from "./FitsEverywhere.ts"
import { type Person, person } from "./Person.ts"

let world: World
let chrome: Browser
let customer: Customer
let source: string
let agent: Agent
let reader: Person

beforeAll(async () => {
  ;[world, chrome] = await Promise.all([newWorld(), browser()])
}, 120_000)
afterAll(async () => {
  await Promise.all([world[Symbol.asyncDispose](), chrome[Symbol.asyncDispose]()])
})

/** An agent whose actions above 1,000.00 need approval; no other action is pending. */
beforeEach(async () => {
  const { body } = await world.platform("GET", "/agents/approvals?limit=100")
  for (const action of body["data"] as ReadonlyArray<{ readonly id: string; readonly agentId: string }>) {
    await world.platform("POST", `/agents/${action.agentId}/actions/${action.id}/reject`)
  }
  customer = await newCustomer(world.platform)
  source = await newSource(world.platform, customer)
  agent = await newAgent(world.server.base, world.platform, customer, {
    spendingLimits: { currency: "USD", perTransactionLimit: 500_000, dailyLimit: 800_000 },
    approvalThresholds: { currency: "USD", amount: 100_000 },
  })
  reader = person(await chrome.page(`${world.server.origin}/console`))
})

const signedIn = async () => {
  await reader.signIn(credentials.clientId, credentials.clientSecret)
  await reader.awaits("Waiting for approval")
}

const statusOf = async (actionId: string) => (await agent.send("GET", `/agents/me/actions/${actionId}`)).body

describe("the workbench of a sandbox", () => {
  it("says that it is one, and which time it is there", async () => {
    await signedIn()
    expect(await reader.sees()).toContain("SANDBOX")
    await reader.awaits(/Sandbox time .+ real time/u)
    await reader.awaits("Connected")
    const advanced = await world.platform("POST", "/sandbox/clock/advance", { body: { by: "PT26H" } })
    expect(advanced).toMatchObject({ status: 200 })
    reader = person(await chrome.page(`${world.server.origin}/console`))
    await reader.signIn(credentials.clientId, credentials.clientSecret)
    await reader.awaits(/Sandbox time .+ 1 day 2 hours ahead/u)
  })
})

describe("a pending action", () => {
  it("appears by itself, with agent, source, destination, reason and remaining limits", async () => {
    await signedIn()
    await reader.awaits("Nothing waits.")
    await held(agent, transfer(source, customer, 250_050))
    await reader.awaits("left of")
    const shown = await reader.awaits("$2,500.50 Transfer in")
    for (const text of [
      "$2,500.50",
      "Transfer in",
      "Ada Lovelace",
      "USD · ••5000",
      "USD account",
      "$0.00 available",
      "Payroll",
      "The amount is above the approval threshold.",
      "$1,000.00",
      "$2,499.50 left of $5,000.00",
      "$5,499.50 left of $8,000.00",
    ]) {
      expect(shown).toContain(text)
    }
    expect(await reader.page.evaluate("document.title")).toBe("(1) Workbench")
    expect(await reader.page.evaluate(`document.querySelector("[aria-live]").textContent`)).toBe("A new action waits.")
  })

  it("shows amounts with the decimals of their currency", async () => {
    const euros = await world.platform(
      "GET",
      `/customers/internal-accounts?customerId=${customer.customerId}&currency=BTC`,
    )
    const wallet = await world.platform("POST", "/customers/external-accounts", {
      body: {
        customerId: customer.customerId,
        currency: "BTC",
        accountInfo: {
          accountType: "SPARK_WALLET",
          address: "spark1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu",
        },
      },
    })
    const accountId = textAt(euros, "data", 0, "id")
    await world.platform("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: 12_345_600 } })
    const all = await newAgent(world.server.base, world.platform, customer, {
      defaultExecutionMode: "APPROVAL_REQUIRED",
      spendingLimits: { currency: "BTC", perTransactionLimit: 100_000_000 },
    })
    const body = {
      source: { accountId },
      destination: { accountId: textAt(wallet, "id") },
      amount: 2_345_600,
    }
    expect(await all.send("POST", "/agents/me/transfer-out", { body })).toMatchObject({ status: 201 })
    await signedIn()
    await reader.awaits(/0\.023456/u)
    await reader.awaits(/0\.123456\b.*available/u)
  })

  it("shows a quote with both of its amounts, and approves it", async () => {
    const { accountId, customerId } = customer
    const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Grace Hopper" }
    const accountInfo = { accountType: "MXN_ACCOUNT", clabeNumber: "032180000118359719", beneficiary }
    const body = { customerId, currency: "MXN", accountInfo }
    const outside = textAt(await world.platform("POST", "/customers/external-accounts", { body }), "id")
    await world.platform("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: 300_000 } })
    const quoting = await newAgent(world.server.base, world.platform, customer, {
      permissions: ["CREATE_QUOTES", "EXECUTE_QUOTES"],
      defaultExecutionMode: "APPROVAL_REQUIRED",
      spendingLimits: { currency: "USD", perTransactionLimit: 500_000 },
    })
    const asked = {
      source: { sourceType: "ACCOUNT", accountId },
      destination: { destinationType: "ACCOUNT", accountId: outside },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 200_000,
    }
    const quoteId = textAt(await quoting.send("POST", "/agents/me/quotes", { body: asked }), "id")
    await quoting.send("POST", `/agents/me/quotes/${quoteId}/execute`)
    await signedIn()
    await reader.awaits("left of")
    const shown = await reader.awaits(/\$2,000\.00 for MX\$[\d,]+\.\d\d Quote/u)
    for (const text of ["Grace Hopper", "$3,000.00 available", "The agent's policy holds every action."]) {
      expect(shown).toContain(text)
    }
    await reader.tabTo("Approve")
    await reader.press("Enter")
    await reader.awaits(/Approve \$2,000\.00 for MX\$[\d,]+\.\d\d to Grace Hopper\?/u)
    await reader.tabTo("Approve")
    await reader.press("Enter")
    await reader.awaits("Nothing waits.")
    expect(await quoting.send("GET", "/agents/me/actions?status=APPROVED")).toMatchObject({ body: { totalCount: 1 } })
  })

  it("shows in advance that an approval would fail", async () => {
    await held(agent, transfer(source, customer, 200_000))
    await world.platform("PATCH", `/agents/${agent.agentId}`, { body: { isPaused: true } })
    await signedIn()
    await reader.awaits("Approving it now would fail")
    await reader.awaits("The agent is paused.")
  })
})

describe("a decision with the keyboard alone", () => {
  it("approves after a confirmation, announces it, and moves to the next action", async () => {
    const first = await held(agent, transfer(source, customer, 200_000))
    const second = await held(agent, transfer(source, customer, 300_000))
    await signedIn()
    await reader.awaits("$3,000.00 Transfer in")
    await reader.tabTo("Approve")
    await reader.press("Enter")
    await reader.awaits("Approve $2,000.00 from Ada Lovelace?")
    await reader.press("Escape")
    await eventually("the focus is back", reader.focused, (name) => name === "Approve")
    expect((await statusOf(first))["status"]).toBe("PENDING_APPROVAL")
    await reader.press("Enter")
    await reader.awaits("The money moves at once.")
    // Nobody approves by pressing Enter twice: the safe button has the focus.
    expect(await reader.focused()).toBe("Cancel")
    await reader.tabTo("Approve")
    await reader.press("Enter")
    await reader.awaits("Approved: $2,000.00 from Ada Lovelace.")
    const audit = await world.platform("GET", `/audit-records?target=${first}&operation=AGENT_ACTION_APPROVE`)
    expect(at(audit.body, "data", 0, "actor")).toMatchObject({
      type: "PLATFORM",
      approver: { name: "Grace Hopper", proof: "SECRET" },
    })
    expect(await statusOf(first)).toMatchObject({ status: "APPROVED" })
    await eventually("the focus is on the next", reader.focused, (name) => name.startsWith("$3,000.00"))
    expect((await statusOf(second))["status"]).toBe("PENDING_APPROVAL")
  })

  it("rejects with a reason, which the agent sees and the history shows", async () => {
    const actionId = await held(agent, transfer(source, customer, 200_000))
    await signedIn()
    await reader.awaits("$2,000.00 Transfer in")
    await reader.tabTo("Reject")
    await reader.press("Enter")
    await eventually("the focus is on the reason", reader.focused, (name) => name.startsWith("Reason"))
    await reader.type("Not <b>this</b> month.")
    await reader.tabTo("Reject")
    await reader.press("Enter")
    await reader.awaits("Rejected: $2,000.00 from Ada Lovelace.")
    expect(await statusOf(actionId)).toMatchObject({ status: "REJECTED", rejectionReason: "Not <b>this</b> month." })
    await eventually("the focus is on the view", reader.focused, (name) => name === "Waiting for approval")
    await reader.tabTo("History")
    await reader.press("Enter")
    const shown = await reader.awaits("“Not <b>this</b> month.”")
    expect(shown).toContain("Rejected")
    await eventually("the focus is on the view", reader.focused, (name) => name === "History")
  })

  it("shows the earlier decision if another one came first", async () => {
    const actionId = await held(agent, transfer(source, customer, 200_000))
    await signedIn()
    await reader.awaits("$2,000.00 Transfer in")
    await reader.tabTo("Approve")
    await reader.press("Enter")
    await reader.awaits("The money moves at once.")
    await world.platform("POST", `/agents/${agent.agentId}/actions/${actionId}/reject`)
    await reader.tabTo("Approve")
    await reader.press("Enter")
    await reader.awaits("It was decided already. Rejected: $2,000.00 from Ada Lovelace.")
    expect(await statusOf(actionId)).toMatchObject({ status: "REJECTED" })
  })

  it("shows the reason of a failed execution", async () => {
    await held(agent, transfer(source, customer, 200_000))
    await signedIn()
    await reader.awaits("$2,000.00 Transfer in")
    await reader.tabTo("Approve")
    await reader.press("Enter")
    await reader.awaits("The money moves at once.")
    await world.platform("DELETE", `/agents/${agent.agentId}`)
    await reader.tabTo("Approve")
    await reader.press("Enter")
    await reader.awaits("Failed: $2,000.00 from Ada Lovelace. The agent's access has been revoked.")
  })

  it("needs the permission to decide, which the list does not need", async () => {
    const token = await world.platform("POST", "/tokens", { body: { name: "look", permissions: ["VIEW"] } })
    await held(agent, transfer(source, customer, 200_000))
    await reader.signIn(textAt(token, "clientId"), textAt(token, "clientSecret"))
    await reader.awaits("$2,000.00 Transfer in")
    await reader.tabTo("Approve")
    await reader.press("Enter")
    await reader.awaits("The money moves at once.")
    await reader.tabTo("Approve")
    await reader.press("Enter")
    await reader.awaits("These credentials may not decide")
    await world.platform("DELETE", `/tokens/${textAt(token, "id")}`)
    await reader.awaits("Your session has ended. Sign in again.")
  })
})

describe("the page", () => {
  it("has landmarks, names and one main heading, and announces changes to assistive technology", async () => {
    await held(agent, transfer(source, customer, 200_000))
    await signedIn()
    await reader.awaits("left of")
    await reader.awaits("$2,000.00 Transfer in")
    const { nodes } = await reader.page.send("Accessibility.getFullAXTree")
    const roles = (nodes as ReadonlyArray<object>)
      .filter((node) => at(node, "ignored") !== true)
      .map((node) => [at(node, "role", "value"), String(at(node, "name", "value") ?? "")] as const)
    const named = (role: string) => roles.filter(([each]) => each === role).map(([, name]) => name)
    expect(named("banner")).toHaveLength(1)
    expect(named("main")).toHaveLength(1)
    expect(named("navigation")).toEqual(["Areas"])
    expect(named("article")[0]).toMatch(/^\$2,000\.00\s+Transfer in$/u)
    expect(named("button")).toEqual(expect.arrayContaining(["Sign out", "Approve", "Reject"]))
    for (const role of ["button", "link", "article", "textbox", "dialog"]) expect(named(role)).not.toContain("")
    expect(await reader.page.evaluate(`document.querySelectorAll("h1").length`)).toBe(1)
    expect(await reader.page.evaluate(`document.documentElement.lang`)).toBe("en")
  })

  it("fits a phone, and is readable in light and dark in every view", async () => {
    await held(agent, transfer(source, customer, 200_000))
    await agent.send("POST", "/agents/me/transfer-in", { body: transfer(source, customer, 1) })
    await fitsEverywhere(reader.page)
    await signedIn()
    await reader.awaits("left of")
    await reader.awaits("$2,000.00 Transfer in")
    await fitsEverywhere(reader.page)
    await reader.tabTo("Reject")
    await reader.press("Enter")
    await reader.awaits("Reason (optional")
    await fitsEverywhere(reader.page)
    await reader.press("Escape")
    await reader.page.evaluate(`location.hash = "#history"`)
    await reader.awaits("Executed by itself")
    await fitsEverywhere(reader.page)
  })

  it("calls only its own origin, and logs no error", async () => {
    await held(agent, transfer(source, customer, 200_000))
    await signedIn()
    await reader.awaits("left of")
    await reader.awaits("$2,000.00 Transfer in")
    const asked = await reader.page.evaluate(`performance.getEntriesByType("resource").map(({ name }) => name)`)
    const others = (asked as ReadonlyArray<string>).filter((name) => !name.startsWith(`${world.server.origin}/`))
    expect(others).toEqual([])
    expect(reader.page.console).toEqual([])
  })
})
