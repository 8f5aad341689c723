/**
 * Actions on delegated keys: the wallet signs twice for a new one, it signs for purchases by the wallet's card, and is revoked.
 * Source: wire contract 4.1, 4.8 and 4.11; D-177, D-261.
 */
import { stamp } from "../flows/NodeWallet.ts"
import type { Body } from "./Answers.ts"
import { authorize } from "./CardActions.ts"
import { anyOf, bodyOf, type Client, type ClientActions, isDone } from "./ClientRequests.ts"
import { drawKeys, expectRefusal, finishCall, type SignedCall, signatureHeader, signedCall } from "./SignedCalls.ts"
import { anySession } from "./SignIns.ts"
import type { AbandonedCall } from "./WalletAnswers.ts"

const path = "/auth/delegated-keys"

/** The id of the key that the second signature is for. */
const keyOf = (payload: string): string => {
  const { parameters } = JSON.parse(payload) as { readonly parameters: { readonly policies: ReadonlyArray<Body> } }
  return String(parameters.policies[0]?.["policyName"])
}

/** The third call, which activates the key: sent now, abandoned, or first with something wrong. */
const activate = async (client: Client, call: SignedCall, challenge: Body, signer: AbandonedCall["signer"]) => {
  const { answers, random } = client
  const [payload, requestId] = [String(challenge["payloadToSign"]), String(challenge["requestId"])]
  const id = keyOf(payload)
  answers.delegated.registered.add(id)
  const third: AbandonedCall = {
    pending: { ...call, payload, requestId, expiresAtMillis: Date.parse(String(challenge["expiresAt"])) },
    signer,
    onAccepted: (answer, change) => {
      if (answer !== undefined && answer["id"] !== id) answers.problems.push(`${id} was activated as ${answer["id"]}`)
      answers.delegated.activated.set(id, change)
    },
  }
  if (random.once(5)) return void answers.wallet.abandoned.push(third)
  if (random.once(4)) {
    const headers = { [signatureHeader]: stamp(drawKeys(client), payload), "request-id": requestId }
    await expectRefusal(client, call, headers, "by an unknown key")
  }
  await finishCall(client, third)
}

const revoke = async ({ answers, insist, random }: Client): Promise<boolean | undefined> => {
  const { activated, registered, revoked } = answers.delegated
  const id = anyOf(random, random.once(4) ? registered : activated.keys())
  if (id === undefined) return undefined
  const begunAt = answers.requests
  const isRevoked = isDone(await insist("DELETE", `${path}/${id}`))
  // After a lost response, the repetition finds a key that is not active.
  const { status } = isRevoked ? { status: "REVOKED" } : bodyOf(await insist("GET", `${path}/${id}`))
  if (status === "REVOKED") {
    // Of concurrent revocations any may be the one that had the effect.
    const { begunAt: first, endedAt: last } = revoked.get(id) ?? { begunAt, endedAt: answers.requests }
    revoked.set(id, { begunAt: Math.min(first, begunAt), endedAt: Math.min(last, answers.requests) })
  }
  return isRevoked
}

export const delegatedKeyActions: ClientActions = {
  "delegated key": {
    weight: 4,
    run: async (client) => {
      const { answers, pay, random } = client
      const session = await anySession(client)
      if (session === undefined) return false
      const { accountId, cardId } = pay.wallet
      const body = { cardId, internalAccountId: accountId, nickname: `Key ${random.below(100)}` }
      const call = { method: "POST", path, body }
      const signer = () => session[1].keys
      return signedCall(client, call, signer, async (challenge) => {
        if (challenge === undefined) answers.delegated.unknownRegistrations += 1
        else await activate(client, call, challenge, signer)
      })
    },
  },
  "delegated key revoked": { weight: 2, run: revoke },
  "delegated keys listed": {
    weight: 1,
    run: async ({ answers, insist, pay }) => {
      const listed = bodyOf(await insist("GET", `${path}?accountId=${pay.wallet.accountId}`))
      const active = (listed["data"] as ReadonlyArray<Body>).filter(({ status }) => status === "ACTIVE")
      if (active.length > 1) answers.problems.push(`${active.length} keys of one funding source are active`)
      return true
    },
  },
  "purchase by the wallet": {
    weight: 5,
    run: async (client) => {
      const { answers, pay, random } = client
      const begunAt = answers.requests
      const kind = random.pick(["authorization", "financial_authorization"])
      const decision = await authorize(client, [pay.wallet.cardId, kind, "USDB"])
      if (decision === undefined) return false
      const { declineReason } = decision
      answers.delegated.purchases.push({ begunAt, endedAt: answers.requests, declineReason })
      return declineReason === undefined
    },
  },
}
