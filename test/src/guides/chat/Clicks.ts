/** Clicks in a chat tool: the tool signs each request with a secret that it shares with us, and names the person who clicked. */
import { createHmac, timingSafeEqual } from "node:crypto"

export interface Click {
  /** The tool's own id of the person. A name can be changed by its owner. */
  readonly userId: string
  readonly decision: "approve" | "reject"
  /** What we gave the button. */
  readonly agentId: string
  readonly actionId: string
}

/** Your tool prescribes the header's name, the signed text and its encoding. */
export const signatureOf = (secret: string, timestamp: string, body: string): string =>
  createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")

const isText = (value: unknown): value is string => typeof value === "string"

/** Returns the click of a request; `undefined` if the tool did not sign these bytes in the last five minutes. */
export const clickOf = (
  secret: string,
  { body, signature, timestamp }: { readonly body: string; readonly signature: string; readonly timestamp: string },
  nowSeconds: number,
): Click | undefined => {
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= 300)) return undefined
  const own = Buffer.from(signatureOf(secret, timestamp, body))
  const given = Buffer.from(signature)
  if (own.length !== given.length || !timingSafeEqual(own, given)) return undefined
  const { actionId, agentId, decision, userId }: { readonly [name: string]: unknown } = JSON.parse(body)
  if (decision !== "approve" && decision !== "reject") return undefined
  return isText(userId) && isText(agentId) && isText(actionId) ? { userId, decision, agentId, actionId } : undefined
}
