/**
 * Each trigger makes its event happen.
 * Source: D-461.
 */
import { EventTypes } from "@countersign/core/models"
import { WebhookTrust } from "@countersign/core/ports"
import { Layer } from "effect"
import { describe, expect, it } from "vitest"
import { TriggerUnavailable } from "../../../packages/cli/src/trigger/TriggerContext.ts"
import { triggers } from "../../../packages/cli/src/trigger/Triggers.ts"
import { type Harness, type HarnessOptions, harness } from "../../../packages/test/src/harness/Harness.ts"

const contextOf = ({ client, clientOf, clock }: Harness) => ({
  client,
  clientOf: (token: string) => clientOf({ token }),
  advance: async (seconds: number) => void (await clock.advance(`${seconds} seconds`)),
})

/** What a server needs for some events. */
const optionsOf = (type: string): HarnessOptions => {
  if (type === "OUTGOING_PAYMENT.PENDING_AUTHORIZATION") return { scaRegions: ["EU"] }
  return type === "WEBHOOK_ENDPOINT.VERIFICATION" ? { ports: Layer.succeed(WebhookTrust, "PROOF") } : {}
}

describe("countersign trigger", () => {
  it.each(EventTypes.keys)("%s emits that event, about a record that it names", async (type) => {
    await using pay = await harness(optionsOf(type))
    const handles = Object.values(await triggers[type](contextOf(pay)))
    await pay.settle()
    await pay.clock.advance("5 seconds")
    const events = pay.webhooks.received.filter((event) => event.type === type)
    expect(pay.webhooks.received.map((event) => event.type)).toContain(type)
    if (type === "TEST" || type === "WEBHOOK_ENDPOINT.VERIFICATION") return
    const subjects = events.map(({ data }) => String(data["id"] ?? data["code"]))
    const owners = events.map(({ data }) => String(data["customerId"]))
    expect([...subjects, ...owners].some((id) => handles.includes(id))).toBe(true)
  })

  it.each(["OUTGOING_PAYMENT.PENDING_AUTHORIZATION", "WEBHOOK_ENDPOINT.VERIFICATION"] as const)(
    "%s says what a server without it needs",
    async (type) => {
      await using pay = await harness()
      await expect(triggers[type](contextOf(pay))).rejects.toBeInstanceOf(TriggerUnavailable)
    },
  )
})
