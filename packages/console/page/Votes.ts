/** The votes on a waiting action: what is voted on, who has approved, and one's own approval. Source: D-532. */
import { call, Refused, rootAddress } from "./Api.ts"
import { NoPasskey, usePasskey } from "./Passkey.ts"
import { digestOf } from "./ShownDigest.ts"
import type { Action, Votes } from "./Wire.ts"

const addressOf = ({ agentId, id }: Action) => `${rootAddress()}/console/votes/${agentId}/${id}`

/** The votes; `undefined`: one approval is enough. */
export const votesOn = async (action: Action): Promise<Votes | undefined> =>
  (await call<{ readonly votes: Votes | null }>(addressOf(action), { method: "GET" })).body.votes ?? undefined

interface Challenge {
  readonly challenge: string
  readonly credentialId: string
}

/** Approves what is shown, with the passkey where that is needed. */
export const approveShown = async (action: Action, { shown }: Votes): Promise<Action> => {
  const digest = await digestOf(shown)
  const begun = await call<{ readonly action?: Action; readonly challenge?: Challenge }>(addressOf(action), {
    method: "POST",
    body: { digest },
  })
  const { action: approved, challenge: asked } = begun.body
  if (approved !== undefined) return approved
  if (asked === undefined) throw new Refused(begun.status, "The service's answer is not understood.")
  // The challenge ends with the digest: nothing else is signed than what is shown.
  if (!asked.challenge.endsWith(digest)) throw new Refused(409, "The service asks for a signature of something else.")
  const passkey = await usePasskey(asked.challenge, asked.credentialId).catch(() => {
    throw new NoPasskey()
  })
  const body = { digest, ...passkey }
  return (await call<{ readonly action: Action }>(`${addressOf(action)}/passkey`, { method: "POST", body })).body.action
}
