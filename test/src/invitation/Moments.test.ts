/** What happens to an invitation between the decision and the commit, and when time passes without a job. Wire contract areas 1.4.4. */
import { Store } from "@countersign/core/store"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { at } from "../account/ExternalAccountRequests.ts"
import { atFailPoints } from "../agent/AtFailPoints.ts"
import { invitationWorld, invitee, inviter } from "./InvitationWorld.ts"

const startsAt = "2026-11-21T12:00:00Z"
const expiresAt = "2026-11-21T12:10:00Z"

it("refuses a claim whose invitation expires before the commit", async () => {
  const { allRan, during, failPoints } = atFailPoints()
  await using pay = await invitationWorld({ startsAt, failPoints })
  const code = await pay.invite({ expiresAt })
  during(["operation.decided", () => pay.run(TestClock.adjust("10 minutes"))])
  expect(await pay.other("POST", `/invitations/${code}/claim`, { inviteeUma: invitee })).toMatchObject({
    status: 400,
    body: { details: { reason: "INVITATION_EXPIRED" } },
  })
  expect(allRan()).toBe(true)
  await pay.settle()
  expect(pay.inbox.ofType("INVITATION.CLAIMED")).toEqual([])
})

it("refuses an invitation whose inviter is deleted before the commit", async () => {
  const { allRan, during, failPoints } = atFailPoints()
  await using pay = await invitationWorld({ failPoints })
  during(["operation.decided", () => pay.own("DELETE", `/customers/${pay.customerId}`)])
  expect(await pay.own("POST", "/invitations", { inviterUma: inviter })).toMatchObject({
    status: 400,
    body: { details: { reason: "INVITER_UNKNOWN" } },
  })
  expect(allRan()).toBe(true)
})

it("leaves an invitation expired whose inviter is deleted later, even if its job has not run", async () => {
  await using pay = await invitationWorld({ startsAt })
  const code = await pay.invite({ expiresAt })
  await pay.run(TestClock.adjust("10 minutes"))
  expect((await pay.own("DELETE", `/customers/${pay.customerId}`)).status).toBe(200)
  expect(at((await pay.own("GET", `/invitations/${code}`)).body, "status")).toBe("EXPIRED")
})

it("stores the expiry by a job at its time, and plans none for an invitation that never expires", async () => {
  await using pay = await invitationWorld({ startsAt })
  const ends = async () => {
    const jobs = await pay.run(Store.use((store) => store.jobs))
    return jobs.filter(({ kind }) => kind.startsWith("invitation."))
  }
  await pay.invite()
  expect(await ends()).toEqual([])
  await pay.invite({ expiresAt })
  expect(await ends()).toMatchObject([{ kind: "invitation.end", dueAt: Date.parse(expiresAt) }])
})
