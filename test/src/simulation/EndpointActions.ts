/**
 * Actions on the webhook endpoint: its address changes and is removed, it is disabled and enabled, its keys rotate, and events are sent again.
 * Source: wire contract 6.2; D-330, D-332, D-333, D-452.
 */
import type { Body } from "./Answers.ts"
import { anyOf, bodyOf, type Client, type ClientActions, isDone } from "./ClientRequests.ts"
import type { EndpointChange } from "./EndpointAnswers.ts"

/** Sends a change until it is answered; repeating it is harmless. */
const change = async (
  { answers, insist, pay }: Client,
  to: EndpointChange["to"],
  [method, path, body]: readonly [method: string, path: string, body?: object],
): Promise<boolean> => {
  const begunAt = answers.requests
  const reply = await insist(method, path, body === undefined ? {} : { body })
  if (!isDone(reply)) return false
  answers.endpoint.changes.push({ at: await pay.clock.now(), to, begunAt, endedAt: answers.requests })
  return true
}

const overlapsSeconds = [0, 1, 60, 3600, 86_400] as const

const recentEvents = 20

export const endpointActions: ClientActions = {
  "endpoint moved": {
    weight: 2,
    run: (client) => {
      const url = `https://platform.example/${client.name()}`
      return change(client, { url }, ["PATCH", "/config", { webhookEndpoint: url }])
    },
  },
  "endpoint removed": {
    weight: 1,
    run: (client) => change(client, { url: null }, ["PATCH", "/config", { webhookEndpoint: null }]),
  },
  "endpoint disabled": {
    weight: 1,
    run: (client) => change(client, "DISABLED", ["POST", "/webhooks/endpoint/disable"]),
  },
  "endpoint enabled": {
    weight: 3,
    run: (client) => change(client, "ENABLED", ["POST", "/webhooks/endpoint/enable"]),
  },
  "endpoint read": {
    weight: 3,
    run: async ({ answers, insist, pay }) => {
      const { nextAttemptAt } = bodyOf(await insist("GET", "/webhooks/endpoint"))
      if (nextAttemptAt === undefined) return true
      answers.endpoint.openCircuits.push({ at: await pay.clock.now(), until: Date.parse(String(nextAttemptAt)) })
      return true
    },
  },
  "webhook key rotated": {
    weight: 3,
    run: async ({ answers, keyed, pay, random }) => {
      const overlapSeconds = random.pick(overlapsSeconds)
      const answer = await keyed("/webhooks/keys/rotate", { body: { overlapSeconds } })
      if (answer === undefined) return false
      const [{ id } = {}] = answer["data"] as ReadonlyArray<Body>
      const number = Number(String(id).replace("key-", ""))
      answers.endpoint.rotations.set(number, {
        number,
        at: await pay.clock.now(),
        overlapMillis: overlapSeconds * 1000,
      })
      return true
    },
  },
  "event resent": {
    weight: 3,
    run: async ({ answers, insist, keyed, random }) => {
      const events = bodyOf(await insist("GET", `/operator/events?limit=${recentEvents}`))["data"]
      const id = anyOf(random, events as ReadonlyArray<Body>)?.["id"]
      if (id === undefined) return undefined
      const accepted = await keyed(`/operator/events/${String(id)}/resend`, {})
      if (accepted === undefined) return false
      const { resent } = answers.endpoint
      resent.set(String(id), (resent.get(String(id)) ?? 0) + 1)
      return true
    },
  },
}
