/**
 * Actions on invitations: they are created, claimed and cancelled, also at once.
 * Source: wire contract areas 1.4.
 */
import { anyOf, type Client, type ClientActions } from "./ClientRequests.ts"

const firstNames = ["Jane 000", "Jane 000", "Jane 001", "Jane 002"] as const

const anyCode = ({ answers, random }: Client): string | undefined => anyOf(random, answers.invitations.keys())

/** How long an invitation that ends by itself is open. */
const openMillis = 10 * 60 * 1000

const invite = async ({ answers, keyed, random, pay }: Client): Promise<string | undefined> => {
  const firstName = random.pick(firstNames)
  const ends = firstName === "Jane 000" && random.once(3)
  const expiresAt = new Date((await pay.clock.now()) + openMillis).toISOString()
  const body = { inviterUma: pay.umaAddress, firstName, ...(ends ? { expiresAt } : {}) }
  const made = await keyed("/invitations", { body })
  if (made === undefined) return undefined
  const code = String(made["code"])
  const suffix = ends ? "expires" : firstName.slice(-3)
  answers.invitations.set(code, { suffix, claimedBy: new Set(), isCancelled: false })
  return code
}

export const invitationActions: ClientActions = {
  invitation: { weight: 1, run: async (client) => (await invite(client)) !== undefined },
  "invitation claimed": {
    weight: 3,
    run: async (client) => {
      const { answers, keyed, name } = client
      const code = anyCode(client) ?? (await invite(client))
      if (code === undefined) return false
      const inviteeUma = `$friend${name()}@elsewhere.example`
      const claimed = await keyed(`/invitations/${code}/claim`, { body: { inviteeUma } })
      if (claimed !== undefined) answers.invitations.get(code)?.claimedBy.add(inviteeUma)
      return claimed !== undefined
    },
  },
  "invitation cancelled": {
    weight: 2,
    run: async (client) => {
      const code = anyCode(client)
      if (code === undefined) return undefined
      const cancelled = await client.keyed(`/invitations/${code}/cancel`, {})
      const invitation = client.answers.invitations.get(code)
      if (cancelled !== undefined && invitation !== undefined) invitation.isCancelled = true
      return cancelled !== undefined
    },
  },
}
