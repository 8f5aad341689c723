/**
 * Several approvers on the approvals page in a browser: who has approved, who is still needed, what is approved, and why one may not.
 * Source: D-532.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { policyOf, twoOfFinance } from "../approval/Policies.ts"
import { approversToken, type PolicyFile, policyFile } from "../approval/PolicyFile.ts"
import { at } from "../e2e/Client.ts"
import { type Agent, held, newAgent, newWorld, transfer, type World } from "../e2e/Flow.ts"
import { type Browser, browser } from "./Browser.ts"
import { type Person, person } from "./Person.ts"

let chrome: Browser
beforeAll(async () => {
  chrome = await browser()
}, 120_000)
afterAll(() => chrome[Symbol.asyncDispose]())

describe("an action that two of three must approve, with their passkeys", () => {
  let file: PolicyFile
  let world: World
  let agent: Agent
  let token: Awaited<ReturnType<typeof approversToken>>
  beforeAll(async () => {
    file = await policyFile(policyOf({ ...twoOfFinance, stepUp: true }))
    world = await newWorld({ options: [...file.options, "--console-passkeys", "required"] })
    const { customer, platform, server } = world
    token = await approversToken(platform)
    agent = await newAgent(server.base, platform, customer, {
      defaultExecutionMode: "APPROVAL_REQUIRED",
      spendingLimits: { currency: "USD", perTransactionLimit: 500_000 },
    })
  }, 90_000)
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await file[Symbol.asyncDispose]()
  })

  const signedIn = async (name: string): Promise<Person> => {
    const page = await chrome.page("about:blank")
    await page.addAuthenticator({})
    await page.open(`http://localhost:${world.server.port}/console`)
    const reader = person(page)
    await reader.signIn(token.clientId, token.clientSecret, name)
    await reader.awaits("Waiting for approval")
    return reader
  }

  it("shows who has approved and who is needed, and what each approves", { timeout: 120_000 }, async () => {
    const actionId = await held(agent, transfer(world.source, world.customer, 200_000))
    const ada = await signedIn("Ada Lovelace")
    await ada.awaits("0 of 2 approvals")
    await ada.awaits("2 more needed from Ada Lovelace, Grace Hopper, or Alan Turing.")
    await ada.tabTo("Approve")
    await ada.press("Enter")
    await ada.awaits("The money moves when 1 more approver has approved.")
    expect(await ada.sees()).toContain("two of finance")
    await ada.tabTo("Approve")
    await ada.press("Enter")
    await ada.awaits("Your approval counts: $2,000.00 from Ada Lovelace.")
    await ada.awaits("1 of 2 approvals")
    await ada.awaits("You have approved this action already.")

    const other = await signedIn("Emmy Noether")
    await other.awaits("You are not among the approvers of this action.")
    expect(await other.page.evaluate(`document.querySelector(".action footer .primary").disabled`)).toBe(true)

    const grace = await signedIn("Grace Hopper")
    await grace.awaits("Approved by Ada Lovelace. 1 more needed from Grace Hopper or Alan Turing.")
    await grace.tabTo("Approve")
    await grace.press("Enter")
    await grace.awaits("The money moves at once.")
    await grace.tabTo("Approve")
    await grace.press("Enter")
    await grace.awaits("Approved: $2,000.00 from Ada Lovelace.")
    const { body } = await world.platform("GET", `/audit-records?target=${actionId}&operation=AGENT_ACTION_VOTE`)
    expect(at(body, "data", 0, "actor", "approver", "name")).toBe("Grace Hopper")
    expect(at(body, "data", 0, "details", "assertion", "signature")).toEqual(expect.any(String))
  })

  it("lets nobody decide before the votes are shown", { timeout: 120_000 }, async () => {
    const alan = await signedIn("Alan Turing")
    await alan.page.evaluate(`{
      const ask = window.fetch
      const shown = new Promise((resolve) => { window.showVotes = resolve })
      window.fetch = async (...asked) => {
        if (String(asked[0]).includes("/console/votes/")) await shown
        return ask(...asked)
      }
    }`)
    await held(agent, transfer(world.source, world.customer, 312_500))
    await alan.awaits("$3,125.00")
    const buttons = `[...document.querySelectorAll(".action footer button")].map((on) => on.disabled)`
    expect(await alan.page.evaluate(buttons)).toEqual([true, true])
    await alan.page.evaluate("window.showVotes()")
    await alan.awaits("0 of 2 approvals")
    expect(await alan.page.evaluate(buttons)).toEqual([false, false])
  })
})
