/** Races of claims, cancellations and deletions of an invitation, for any store: one of them wins. Source: wire contract areas 1.4.4. */
import { expect, it } from "vitest"
import { at } from "../account/ExternalAccountRequests.ts"
import { type InvitationWorld, invitee } from "./InvitationWorld.ts"

const outside = (count: number) => `$friend${count}@elsewhere.example`

/** The suite; `world` gives a world with its store. */
export const proveClaimRaces = (world: () => Promise<InvitationWorld>) => {
  it("gives an invitation to one of many claims at once, with one event", async () => {
    await using pay = await world()
    for (let round = 0; round < 5; round++) {
      const code = await pay.invite()
      const claims = Array.from({ length: 8 }, (_, index) =>
        (index % 2 === 0 ? pay.own : pay.other)("POST", `/invitations/${code}/claim`, {
          inviteeUma: index === 0 ? invitee : outside(index),
        }),
      )
      const replies = await Promise.all(claims)
      const [winner, ...others] = replies.toSorted((a, b) => a.status - b.status)
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400, 400, 400])
      for (const { body } of others) expect(at(body, "code")).toBe("INVITATION_ALREADY_CLAIMED")
      const { body } = await pay.own("GET", `/invitations/${code}`)
      expect(body).toEqual(winner?.body)
      await pay.settle()
      const events = pay.inbox.ofType("INVITATION.CLAIMED").filter(({ data }) => data["code"] === code)
      expect(events.map(({ data }) => data)).toEqual([body])
    }
  })

  it("either claims or cancels an invitation that is claimed and cancelled at once", async () => {
    await using pay = await world()
    for (let round = 0; round < 5; round++) {
      const code = await pay.invite()
      const [claim, cancel] = await Promise.all([
        pay.other("POST", `/invitations/${code}/claim`, { inviteeUma: invitee }),
        pay.own("POST", `/invitations/${code}/cancel`),
      ])
      expect([claim.status, cancel.status].toSorted()).toEqual([200, 400])
      const status = at((await pay.own("GET", `/invitations/${code}`)).body, "status")
      expect(status).toBe(claim.status === 200 ? "CLAIMED" : "CANCELLED")
      await pay.settle()
      const events = pay.inbox.ofType("INVITATION.CLAIMED").filter(({ data }) => data["code"] === code)
      expect(events.length).toBe(claim.status === 200 ? 1 : 0)
    }
  })

  it("leaves no pending invitation of a customer that is deleted at the same time", async () => {
    await using pay = await world()
    const code = await pay.invite()
    const [created, deleted, claim] = await Promise.all([
      pay.own("POST", "/invitations", { inviterUma: "$inviter@first.example.com" }),
      pay.own("DELETE", `/customers/${pay.customerId}`),
      pay.other("POST", `/invitations/${code}/claim`, { inviteeUma: invitee }),
    ])
    expect(deleted).toMatchObject({ status: 200, body: { isDeleted: true } })
    const statusOf = async (each: unknown) => at((await pay.own("GET", `/invitations/${String(each)}`)).body, "status")
    expect(await statusOf(code)).toBe(claim.status === 200 ? "CLAIMED" : "CANCELLED")
    if (created.status === 201) expect(await statusOf(at(created.body, "code"))).toBe("CANCELLED")
    else expect(created).toMatchObject({ status: 400, body: { details: { reason: "INVITER_UNKNOWN" } } })
  })
}
