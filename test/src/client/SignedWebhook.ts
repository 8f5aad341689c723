/** Webhooks as the service signs them, by two keys of one platform. */
import { NodeWebhookSigner } from "@countersign/adapter-http"
import { WebhookSigner, WireNames } from "@countersign/core/ports"
import { Effect, Redacted } from "effect"
import { signedHeaders } from "../../../packages/core/src/service/event/SignedWebhook.ts"

export const platformId = "PlatformConfig:5b0f3f0a-6f5c-4f0e-9a53-7d0f6f0c1e11"
export const sentAt = Date.UTC(2026, 0, 2, 3, 4, 5)

const signer = await Effect.runPromise(Effect.provide(WebhookSigner, NodeWebhookSigner.layer()))

const keyOf = async (number: number, platform = platformId) => {
  const key = await Effect.runPromise(signer.platformKey({ platformId: platform, number, rootId: signer.roots[0] }))
  if (key === undefined) throw new Error("the root is missing")
  return key
}
const platformKeys = [await keyOf(2), await keyOf(1)] as const
type PlatformKey = (typeof platformKeys)[0]

const shown = ({ id, publicKey, secret }: PlatformKey) => ({ id, publicKey, secret: Redacted.value(secret) })

/** Both keys sign: the newer one, and the one that it replaces, which also makes the specified header. */
export const webhookKeys = [shown(platformKeys[0]), shown(platformKeys[1])] as const
/** A key of another platform of the same service. */
export const foreignKey = shown(await keyOf(1, "PlatformConfig:other"))

const testEvent = {
  id: "Webhook:6b0f3f0a-6f5c-4f0e-9a53-7d0f6f0c1e11",
  type: "TEST",
  timestamp: "2026-01-02T03:04:05Z",
  platformId,
  data: { name: "Łukasz 🎉" },
}

export interface SignedParts {
  readonly event?: { readonly [member: string]: unknown }
  /** The signed text, if it is not the event as JSON. */
  readonly body?: string
  readonly names?: WireNames
  /** Unix milliseconds. */
  readonly at?: number
}

/** Signs an event that differs from a test event in the given members. */
export const signedWebhook = async ({ at = sentAt, event: members = {}, names, ...parts }: SignedParts = {}) => {
  const event = { ...testEvent, ...members }
  const { body = JSON.stringify(event) } = parts
  const signing = Effect.flatMap(WireNames, (defaults) =>
    signedHeaders({ id: testEvent.id, body, sentAt: at }, platformKeys, names ?? defaults),
  )
  const headers: { readonly [name: string]: string } = await Effect.runPromise(signing)
  return { event, body, headers }
}
