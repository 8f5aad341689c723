/**
 * A newcomer's first visit, by keyboard alone: sign in, see the first webhook, approve, move the time, look at the books.
 * Source: D-441, D-463, D-473.
 */
import { expect, it } from "vitest"
import { eventually } from "../e2e/Deadline.ts"
import { credentialOptions } from "../e2e/Flow.ts"
import { startServer } from "../e2e/ServerProcess.ts"
import { browser } from "./Browser.ts"
import { fitsEverywhere } from "./FitsEverywhere.ts"
import { person } from "./Person.ts"

it("needs a name and keys, and no other program", { timeout: 120_000 }, async () => {
  await using server = await startServer({ options: credentialOptions })
  await using chrome = await browser()
  const reader = person(await chrome.page(`${server.origin}/`))
  const press = async (control: string) => {
    await reader.tabTo(control)
    await reader.press("Enter")
  }
  await reader.awaits("Filled in by this sandbox")
  await reader.type("Grace Hopper")
  await reader.press("Enter")
  await reader.awaits("Waiting for approval")
  await reader.awaits("Nothing waits.")

  await press("Inbox")
  await reader.awaits("Nothing has arrived yet.")
  await fitsEverywhere(reader.page)
  await press("Send my webhooks here")
  await reader.awaits("Your webhooks are sent here.")
  await eventually("the focus is on the area, whose button is gone", reader.focused, (name) => name === "Inbox")
  // The event by which a new endpoint is tried.
  await reader.awaits(/TEST\s+Verified/u)
  await press("Answer the next with 500")
  await reader.awaits("The next is answered with 500")

  // The sandbox is empty, and says how it is filled.
  await press("Approvals")
  await press("Run a scenario")
  await reader.awaits("Scenarios")
  await press("Run: A payroll agent waiting for approval")
  await reader.awaits("A payroll agent waiting for approval: what it made")

  await press("Approvals1")
  await reader.awaits("Approvals")
  await press("Approve")
  await reader.awaits("The money moves at once.")
  await press("Approve")
  await reader.awaits("Nothing waits.")

  await press("Inbox")
  await reader.awaits(/answered 500/u)
  const shown = await reader.awaits(/BALANCE_UPDATED\s+Verified/u)
  expect(shown).toContain(`${server.origin}/inbox/`)
  await press("Headers and body of TEST")
  await reader.awaits("webhook-signature: v1,")
  await reader.awaits('"type": "TEST"')
  await fitsEverywhere(reader.page)

  await press("Time")
  await reader.awaits("What falls due next")
  await press("Advance by")
  await reader.awaits(/It is now/u)

  await press("Books")
  await reader.awaits("Trial balance")
  expect(await reader.awaits("USD")).toContain("Available")
  expect(reader.page.console).toEqual([])
})
