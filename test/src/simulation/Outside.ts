/**
 * What the external systems of a simulated run have received: the instructions of rails and of the provider of stablecoins, and the bytes in
 * the vault. The auditor compares it with the records.
 * Source: D-418.
 */

import type { WebhookRequest } from "@countersign/core/ports"

/** An instruction that reached the external system. One whose request was lost did not. */
export interface ReceivedInstruction {
  readonly kind: "pull" | "push" | "mint" | "burn"
  readonly reference: string
  /** In the smallest unit. */
  readonly amount: number
}

/** An attempt that left the service. */
export interface SentWebhook extends Pick<WebhookRequest, "body" | "headers" | "url"> {
  readonly id: string
  readonly type: string
  /** Business time and wall time, in milliseconds. */
  readonly sentAt: number
  readonly wallAt: number
  readonly isAcknowledged: boolean
}

export interface Outside {
  /** The attempts to deliver webhooks, in their order. */
  readonly webhooks: () => ReadonlyArray<SentWebhook>
  /** In the order in which they arrived. */
  readonly instructions: () => ReadonlyArray<ReceivedInstruction>
  /** The bytes of the vault by their key. */
  readonly files: () => ReadonlyMap<string, ReadonlyArray<Uint8Array>>
}

/** The memory of the external systems: the faulty ports write it. */
export interface OutsideMemory extends Outside {
  readonly files: () => Map<string, ReadonlyArray<Uint8Array>>
  readonly deliver: (webhook: SentWebhook) => void
  readonly receive: (instruction: ReceivedInstruction) => void
  readonly hasReceived: (kind: ReceivedInstruction["kind"], reference: string) => boolean
}

export const outsideMemory = (): OutsideMemory => {
  const received: Array<ReceivedInstruction> = []
  const files = new Map<string, ReadonlyArray<Uint8Array>>()
  const webhooks: Array<SentWebhook> = []
  return {
    webhooks: () => webhooks,
    deliver: (webhook) => void webhooks.push(webhook),
    instructions: () => received,
    files: () => files,
    receive: (instruction) => void received.push(instruction),
    hasReceived: (kind, reference) => received.some((one) => one.kind === kind && one.reference === reference),
  }
}

/** No instruction reaches an external system twice, however often a process ended or a connection broke. */
export const repetitionProblems = (outside: Outside): ReadonlyArray<string> => {
  const byReference = Map.groupBy(outside.instructions(), ({ kind, reference }) => `the ${kind} of ${reference}`)
  return [...byReference].flatMap(([name, all]) =>
    all.length === 1 ? [] : [`${name} was instructed ${all.length} times`],
  )
}
