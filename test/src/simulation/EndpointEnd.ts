/**
 * What a platform does after its webhook endpoint was out of service: it takes it into service again, and has the events sent that were
 * recorded meanwhile.
 * Source: wire contract 6.2; D-452.
 */
import type { EventResource } from "@countersign/core/models"
import type { Answers } from "./Answers.ts"
import type { Pay } from "./World.ts"

/** The last address of a run. */
const lastEndpoint = "https://platform.example/last"

export const restoreEndpoint = async (pay: Pay, { endpoint: { changes }, requests }: Answers): Promise<void> => {
  if (changes.length === 0) return
  await pay.send("PATCH", "/config", { body: { webhookEndpoint: lastEndpoint } })
  await pay.send("POST", "/webhooks/endpoint/enable")
  const at = await pay.clock.now()
  const [first, second, third] = [requests, requests + 1, requests + 2]
  changes.push({ at, to: { url: lastEndpoint }, begunAt: first, endedAt: second })
  changes.push({ at, to: "ENABLED", begunAt: second, endedAt: third })
}

/** How often an event is sent again at most: the endpoint may refuse one delivery for each round of the run. */
const triesMax = 8

/** Sends what was never acknowledged until it is. Call it when all deliveries have ended. */
export const sendUnsent = async (pay: Pay, answers: Answers, events: ReadonlyArray<EventResource>): Promise<void> => {
  const { changes, unsent } = answers.endpoint
  if (changes.length === 0) return
  for (let tries = 0; tries < triesMax; tries++) {
    const acknowledged = new Set(pay.outside.webhooks().flatMap((sent) => (sent.isAcknowledged ? [sent.id] : [])))
    const missed = events.filter(({ id, type }) => type !== "TEST" && !acknowledged.has(id))
    if (missed.length === 0) return
    for (const { id } of missed) {
      unsent.add(id)
      await pay.send("POST", `/operator/events/${id}/resend`, { headers: { "idempotency-key": `try ${tries} ${id}` } })
    }
    await pay.settle()
  }
}
