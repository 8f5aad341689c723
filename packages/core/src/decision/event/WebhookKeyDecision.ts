/**
 * Decides the creation, rotation and showing of a platform's webhook keys.
 * Source: wire contract 6.2; D-330.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import {
  newRing,
  rotated,
  signingKeys,
  type WebhookKey,
  type WebhookKeyRing,
} from "../../model/event/WebhookKeyRing.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"

export interface RingLoaded {
  /** `undefined`: the platform has no keys yet. */
  readonly ring: Stored<"WebhookKeyRing"> | undefined
}

/** Inserts the ring of a new platform. */
export const insertRing = ({ platformId }: Owner, rootId: string, now: number): Changes.Changes =>
  Changes.insert("WebhookKeyRing", platformId, { platformId, customerId: null }, newRing(rootId, now))

const ownerOf = ({ caller: { platformId } }: DecisionContext): Owner => ({ platformId, customerId: null })

/** Replaces the data of the ring, or inserts it for a platform that has none. */
const put = (ring: Stored<"WebhookKeyRing"> | undefined, data: WebhookKeyRing, context: DecisionContext) =>
  ring === undefined
    ? Changes.insert("WebhookKeyRing", context.caller.platformId, ownerOf(context), data)
    : Changes.update(ring, data)

/** Creates the first key if there is none. */
export const createKeys =
  (rootId: string) =>
  ({ ring }: RingLoaded, context: DecisionContext): Decision<WebhookKeyRing> => {
    if (ring !== undefined) return answer(200, ring.data)
    const data = newRing(rootId, context.now)
    return answer(200, data, put(ring, data, context))
  }

/** Replaces at once keys that no process can derive any more. */
export const replaceLostKeys =
  (rootId: string, lostRootId: string) =>
  ({ ring }: RingLoaded, context: DecisionContext): Decision<WebhookKeyRing> => {
    const { caller, now } = context
    const isUsable = ring !== undefined && signingKeys(ring.data, now).some((key) => key.rootId !== lostRootId)
    if (isUsable) return answer(200, ring.data)
    const data = rotated(ring?.data ?? { keys: [] }, rootId, now, 0)
    const target = { id: caller.platformId, ...ownerOf(context) }
    const audit = auditRecord(context, "WEBHOOK_KEY_ROTATE", target, { details: { reason: "ROOT_LOST" } })
    return answer(200, data, Changes.combine(put(ring, data, context), audit))
  }

const rotationInProgress = (until: number): Refusal => ({
  code: "CONFLICT",
  message: `A rotation is in progress until ${iso(until)}; with \`overlapSeconds\` 0 the previous keys retire at once.`,
  details: { reason: "ROTATION_IN_PROGRESS", retiresAt: iso(until) },
})

/** Adds a key from the newest root. During an overlap only a rotation without overlap is allowed, so that two keys sign at most. */
export const rotateKeys =
  (rootId: string, overlapSeconds: number) =>
  ({ ring }: RingLoaded, context: DecisionContext): Decision<WebhookKeyRing> => {
    const { caller, now } = context
    const before = ring?.data ?? { keys: [] }
    const retiring = signingKeys(before, now).flatMap(({ retiresAt }) => (retiresAt === undefined ? [] : [retiresAt]))
    if (retiring.length > 0 && overlapSeconds > 0) return refuse(rotationInProgress(Math.max(...retiring)))
    const data = rotated(before, rootId, now, overlapSeconds * 1000)
    const target = { id: caller.platformId, ...ownerOf(context) }
    const audit = auditRecord(context, "WEBHOOK_KEY_ROTATE", target, { details: { overlapSeconds } })
    return answer(201, data, Changes.combine(put(ring, data, context), audit))
  }

/** Audits that the secret of a key is shown. */
export const showSecret =
  (key: WebhookKey) =>
  (_loaded: unknown, context: DecisionContext): Decision<null> => {
    const target = { id: context.caller.platformId, ...ownerOf(context) }
    return answer(200, null, auditRecord(context, "WEBHOOK_SECRET_REVEAL", target, { details: { number: key.number } }))
  }
