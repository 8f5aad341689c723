/**
 * Requests that a wallet signs: the first call, the signed repetition, and attempts that must be refused. A repetition that was accepted and
 * whose answer was lost finds its request id spent.
 * Source: wire contract 4.7.
 */
import type { Reply } from "@countersign/test"
import { keysOf, type NodeKeys } from "../flows/NodeHpke.ts"
import { sha256, stamp } from "../flows/NodeWallet.ts"
import { anyOf, bodyOf, type Client, isDone } from "./ClientRequests.ts"
import type { AbandonedCall, OnAccepted, PendingCall, SpentCall } from "./WalletAnswers.ts"

export type SignedCall = Pick<PendingCall, "method" | "path" | "body">

export const signatureHeader = "service-wallet-signature"

/** New keys from the client's random numbers. */
export const drawKeys = ({ name, random }: Client): NodeKeys =>
  keysOf(sha256(`key ${name()} ${random.below(0x1_0000_0000)}`).toString("hex"))

export const sendOf = ({ body }: SignedCall, headers: SpentCall["headers"] = {}) => ({
  headers,
  ...(body === undefined ? {} : { body }),
})

export const headersOf = ({ payload, requestId }: PendingCall, keys: NodeKeys) => ({
  [signatureHeader]: stamp(keys, payload),
  "request-id": requestId,
})

/** Sends the first call; `undefined` if it is refused. Repeating it is harmless: each one begins another request. */
export const beginCall = async ({ insist }: Client, call: SignedCall): Promise<PendingCall | undefined> =>
  pendingOf(call, await insist(call.method, call.path, sendOf(call)))

/** The call that waits for its signature after this answer to its first request; `undefined` if it does not. */
export const pendingOf = (call: SignedCall, reply: Reply): PendingCall | undefined => {
  if (reply.status !== 202) return undefined
  const { expiresAt, payloadToSign, requestId } = bodyOf(reply)
  const expiresAtMillis = Date.parse(String(expiresAt))
  return { ...call, requestId: String(requestId), payload: String(payloadToSign), expiresAtMillis }
}

/** Sends an attempt that must be refused, and reports one that is accepted. */
export const expectRefusal = async (
  { answers, insist }: Client,
  call: SignedCall,
  headers: SpentCall["headers"],
  why: string,
): Promise<void> => {
  const { status } = await insist(call.method, call.path, sendOf(call, headers))
  if (status < 300) answers.problems.push(`${call.method} ${call.path} was accepted ${why}`)
}

const spentReason = "Request id unknown, expired or already used"

export const isSpent = (reply: Reply): boolean => bodyOf(reply)["reason"] === spentReason

/** Whether the target of a deletion is gone: by this request, or by that of another client. */
const isGone = ({ method }: SignedCall, reply: Reply): boolean => method === "DELETE" && reply.status === 404

/** Repeats the signed request until it is answered; returns whether it was accepted. */
export const finishCall = async (client: Client, { onAccepted, pending, signer }: AbandonedCall): Promise<boolean> => {
  const { answers, pay, repeat } = client
  const keys = signer()
  if (keys === undefined) return false
  const { wallet } = answers
  const isLate = (await pay.clock.now()) >= pending.expiresAtMillis
  const headers = headersOf(pending, keys)
  const begunAt = answers.requests
  const { lost, reply } = await repeat(pending.method, pending.path, sendOf(pending, headers))
  const isAnswered = isDone(reply)
  const isAccepted = isAnswered || (lost > 0 && !isLate && isSpent(reply))
  if (!isAccepted && !(lost > 0 && isGone(pending, reply))) return false
  if (isLate && isAccepted) answers.problems.push(`${pending.path} was accepted after ${pending.requestId} had expired`)
  const { method, path, requestId } = pending
  // A change of the contact also ends a request that waits for the signature of a code's key.
  const mayHaveEnded = !isAnswered && path.endsWith("/verify")
  if (isAccepted && !mayHaveEnded) {
    wallet.accepted.set(requestId, (wallet.accepted.get(requestId) ?? 0) + 1)
    wallet.spent.push({ method, path, ...(pending.body === undefined ? {} : { body: pending.body }), headers })
  }
  await onAccepted(isAnswered ? bodyOf(reply) : undefined, { begunAt, endedAt: answers.requests })
  return true
}

/** Sends the call with something wrong: it must be refused, and stays pending. */
const sendWrong = async (client: Client, pending: PendingCall, keys: NodeKeys): Promise<void> => {
  const { answers, random } = client
  const headers = headersOf(pending, keys)
  const other = anyOf(random, answers.wallet.spent)
  const cases: readonly [readonly [SpentCall["headers"], string], ...Array<readonly [SpentCall["headers"], string]>] = [
    [headersOf(pending, drawKeys(client)), "by an unknown key"],
    [headersOf({ ...pending, payload: `${pending.payload} ` }, keys), "with the signature of another payload"],
    [{ ...headers, [signatureHeader]: "e30" }, "with a malformed signature"],
    [{ [signatureHeader]: headers[signatureHeader] ?? "" }, "without a request id"],
    [{ "request-id": pending.requestId }, "without a signature"],
  ]
  const [wrong, why] = random.pick(cases)
  await expectRefusal(client, pending, wrong, why)
  const stale = other?.headers["request-id"]
  if (stale === undefined) return
  await expectRefusal(client, pending, { ...headers, "request-id": stale }, `with the spent request id ${stale}`)
}

/** Performs a signed call; returns whether it was accepted. Now and then the client abandons it after the first answer. */
export const signedCall = async (
  client: Client,
  call: SignedCall,
  signer: () => NodeKeys | undefined,
  onAccepted: OnAccepted,
): Promise<boolean> => {
  const { answers, random } = client
  const pending = await beginCall(client, call)
  if (pending === undefined) return false
  if (random.once(5)) {
    answers.wallet.abandoned.push({ pending, signer, onAccepted })
    return false
  }
  const keys = signer()
  if (keys !== undefined && random.once(4)) await sendWrong(client, pending, keys)
  return finishCall(client, { pending, signer, onAccepted })
}

/** Signs an abandoned call, which may have expired; `undefined` without one. */
export const signAbandoned = async (client: Client): Promise<boolean | undefined> => {
  const { abandoned } = client.answers.wallet
  const call = anyOf(client.random, abandoned)
  if (call === undefined) return undefined
  abandoned.splice(abandoned.indexOf(call), 1)
  return finishCall(client, call)
}

/** Repeats an accepted call with its request id and signature; `undefined` without one. */
export const replaySpent = async (client: Client): Promise<boolean | undefined> => {
  const call = anyOf(client.random, client.answers.wallet.spent)
  if (call === undefined) return undefined
  await expectRefusal(client, call, call.headers, `twice with ${call.headers["request-id"]}`)
  return true
}
