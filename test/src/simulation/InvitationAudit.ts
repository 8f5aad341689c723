/**
 * The part of the auditor for invitations: each is claimed by one invitee at most, ends as it was claimed, cancelled or left, and only a
 * claim sends an event, once.
 * Source: wire contract areas 1.4.4 and 1.4.6.
 */
import type { UmaInvitation } from "@countersign/core/models"
import { Store } from "@countersign/core/store"
import type { Answers, InvitationRequests } from "./Answers.ts"
import { bodyOf } from "./ClientRequests.ts"
import type { Pay } from "./World.ts"

/** What becomes of an invitation that no client claims or cancels. */
const leftAs: { readonly [suffix: string]: string } = {
  "000": "PENDING",
  "001": "CLAIMED",
  "002": "EXPIRED",
  expires: "EXPIRED",
}

/** The ids of the events of each claimed code. */
const eventsByCode = (pay: Pay) => {
  const claims = pay.webhooks.received.filter(({ type }) => type === "INVITATION.CLAIMED")
  return Map.groupBy(new Map(claims.map((event) => [event.id, event])).values(), ({ data }) => String(data["code"]))
}

const endProblems = (
  code: string,
  { claimedBy, isCancelled, suffix }: InvitationRequests,
  { inviteeUma, status }: Partial<UmaInvitation>,
): ReadonlyArray<string> => {
  const [claimant] = claimedBy
  const due = isCancelled ? "CANCELLED" : claimant === undefined ? leftAs[suffix] : "CLAIMED"
  return [
    ...(claimedBy.size + (isCancelled ? 1 : 0) < 2 ? [] : [`the invitation ${code} was claimed or cancelled twice`]),
    ...(status === due ? [] : [`the invitation ${code} is ${status}, and should be ${due}`]),
    ...(claimant === undefined || inviteeUma === claimant
      ? []
      : [`the invitation ${code} belongs to ${inviteeUma} and was claimed by ${claimant}`]),
  ]
}

export const invitationProblems = async (pay: Pay, answers: Answers): Promise<ReadonlyArray<string>> => {
  const events = eventsByCode(pay)
  const stored = await pay.run(Store.use((store) => store.list("Invitation", {}, { limit: 1, order: "desc" })))
  const problems: Array<string> = []
  if (stored.totalCount !== answers.invitations.size)
    problems.push(`${stored.totalCount} invitations exist, and ${answers.invitations.size} were answered`)
  for (const [code, requests] of answers.invitations) {
    const invitation = bodyOf(await pay.send("GET", `/invitations/${code}`)) as Partial<UmaInvitation>
    problems.push(...endProblems(code, requests, invitation))
    const sent = events.get(code)?.length ?? 0
    if (sent !== (invitation.status === "CLAIMED" ? 1 : 0))
      problems.push(`the invitation ${code} is ${invitation.status} and has ${sent} events`)
  }
  return problems
}
