/** The decoder of webhooks that receivers have: headers with signatures, and the signed body. */
import { createHmac, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { type VerifyWebhookOptions, verifyWebhook, type WebhookKeys } from "@countersign/client/webhook"
import { mutantText } from "../crypto/Mutants.ts"
import { bytesOf } from "./ByteMutants.ts"
import { jsonMutator } from "./JsonMutants.ts"
import { choiceMutator, joined, partsMutator, partsOf } from "./Parts.ts"
import { holds, type Problem, source, type Target, type TargetSource } from "./Target.ts"

const now = Date.UTC(2026, 10, 21, 12)
const platformId = "PlatformConfig:00000000-0000-4000-8000-000000000001"
const secret = Buffer.alloc(32, 7)

interface Key {
  readonly id: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** What an input has: the kind of keys, three headers and a body. `signed` in the third header is what the sender signs. */
interface Sent {
  readonly kind: string
  readonly id: string
  readonly timestamp: string
  readonly header: string
  readonly body: Uint8Array
}

const sentOf = (input: string): Sent => {
  const [kind = "", id = "", timestamp = "", header = "", body = ""] = partsOf(input, 5)
  return { kind, id, timestamp, header, body: bytesOf(body) }
}

const messageOf = ({ body, id, timestamp }: Sent): Buffer => Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])

const macOf = (message: Uint8Array): Buffer => createHmac("sha256", secret).update(message).digest()

/** Puts what the sender signs at its place. */
const signedBy = (keys: ReadonlyArray<Key>, sent: Sent): Sent => {
  const [first] = keys
  if (first === undefined || !sent.header.includes("signed")) return sent
  const signature =
    sent.kind === "secret"
      ? macOf(messageOf(sent))
      : sign("sha256", sent.kind === "public" ? sent.body : messageOf(sent), first.privateKey)
  return { ...sent, header: sent.header.replaceAll("signed", signature.toString("base64")) }
}

/** Each base64 of a header, with the name before its comma. */
const entriesOf = (header: string): ReadonlyArray<readonly [name: string, signature: Buffer]> =>
  [...header.matchAll(/([^ ,]*),([A-Za-z0-9+/]+=*)/gu)].map(([, name = "", text = ""]) => [
    name,
    Buffer.from(text, "base64"),
  ])

const isAuthentic = (keys: ReadonlyArray<Key>, sent: Sent): boolean => {
  const { body, header, kind } = sent
  const message = messageOf(sent)
  if (kind === "secret") return entriesOf(header).some(([name, mac]) => name === "v1" && mac.equals(macOf(message)))
  if (kind === "keys")
    return entriesOf(header).some(([name, signature]) =>
      keys.some(({ id, publicKey }) => id === name && verify("sha256", message, publicKey, signature)),
    )
  const [, text = ""] = /([A-Za-z0-9+/]{20,}=*)/u.exec(header.replaceAll("\\/", "/")) ?? []
  const [first] = keys
  return first !== undefined && verify("sha256", body, first.publicKey, Buffer.from(text, "base64"))
}

const problemOf = (keys: ReadonlyArray<Key>, sent: Sent, event: unknown): Problem => {
  const value: Readonly<Record<string, unknown>> = JSON.parse(
    new TextDecoder("utf-8", { fatal: true }).decode(sent.body),
  )
  const isTimely = /^[1-9]\d*$/u.test(sent.timestamp) && Math.abs(Number(sent.timestamp) * 1000 - now) <= 300_000
  return (
    holds(isAuthentic(keys, sent), "a webhook that the service did not sign") ??
    holds(sent.kind === "public" || (isTimely && value["id"] === sent.id), "another attempt") ??
    holds(value["platformId"] === platformId, "an event of another platform") ??
    holds(isDeepStrictEqual(event, { data: {}, ...value }), "another event than was signed")
  )
}

const refusedTo = (error: unknown): undefined => {
  if (error instanceof Error && error.name === "WebhookRefused") return undefined
  throw error
}

const webhooks = (): Target => {
  const keys = ["key-1", "key-2"].map((id): Key => ({ id, ...generateKeyPairSync("ec", { namedCurve: "P-256" }) }))
  const pems = keys.map(({ id, publicKey }) => ({
    id,
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
  }))
  const given: { readonly [kind: string]: WebhookKeys } = {
    keys: pems,
    secret: { secrets: [`whsec_${secret.toString("base64")}`] },
    public: { publicKey: pems[0]?.publicKey ?? "" },
  }
  const options: VerifyWebhookOptions = { platformId, now: () => now }
  const event = {
    id: "Webhook:1",
    type: "OUTGOING_PAYMENT.COMPLETED",
    timestamp: new Date(now).toISOString(),
    platformId,
    data: { id: "Transaction:1", rateDetails: { serviceApiFixedFee: 1 } },
  }
  const attempt = [event.id, String(now / 1000)]
  const body = JSON.stringify(event)
  return {
    name: "webhooks",
    sources: source("client/src/webhook"),
    valid: [
      joined(["keys", ...attempt, "key-1,signed", body]),
      joined(["keys", ...attempt, "key-2,signed key-1,signed", body]),
      joined(["secret", ...attempt, "v1,signed v1a,signed", body]),
      joined(["public", "", "", '{"v":"1","s":"signed"}', body]),
      joined(["public", "", "", "signed", body]),
    ],
    mutant: partsMutator([
      choiceMutator(Object.keys(given)),
      (draw, part) => mutantText(draw, part || "a"),
      (draw, part) => (draw(2) === 0 ? String(now / 1000 + draw(800) - 400) : mutantText(draw, part || "1")),
      (draw, part) => (draw(4) === 0 ? jsonMutator(draw, part) : mutantText(draw, part || ",")),
      jsonMutator,
    ]),
    check: async (input) => {
      const sent = signedBy(keys, sentOf(input))
      const verifying = given[sent.kind]
      if (verifying === undefined) return undefined
      const headers = {
        "Webhook-Id": sent.id,
        "webhook-timestamp": sent.timestamp,
        "webhook-signature": sent.header,
        "X-Service-Signature": sent.header,
        "X-Service-Key-Signatures": sent.header,
      }
      const accepted = await verifyWebhook(headers, sent.body, verifying, options).catch(refusedTo)
      return accepted && problemOf(keys, sent, accepted)
    },
  }
}

export const webhookTargets: ReadonlyArray<TargetSource> = [{ name: "webhooks", cost: 8, make: webhooks }]
