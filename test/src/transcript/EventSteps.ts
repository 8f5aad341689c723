/** Webhook endpoints: circuits that open and close, disabled and unset ones, proofs, resends, test events, and the lists of events. */
import { WebhookTrust } from "@countersign/core/ports"
import { Layer } from "effect"
import { idAt } from "../confinement/Bodies.ts"
import type { StepWorld } from "../confinement/ConfinedWorld.ts"

const endpoint = "/webhooks/endpoint"
const nobody = "Webhook:00000000-0000-7000-8000-000000000009"

const fund = ({ callers, prepare }: StepWorld, amount: number) =>
  prepare("POST", `/sandbox/internal-accounts/${callers.accountId}/fund`, { amount })

/** Lets time pass in steps, because jobs run at the end of each. */
const wait = async ({ pay }: StepWorld, minutes: number, each = 20) => {
  for (let seconds = 0; seconds < minutes * 60; seconds += each) await pay.clock.advance(`${each} seconds`)
}

const circuit = async (it: StepWorld) => {
  const { call, pay } = it
  await call("GET", endpoint)
  pay.inbox.answerNext(500, 500, "silence", 200)
  await fund(it, 3)
  await wait(it, 1)
  pay.inbox.answerNext(500, 404, "silence", 503, 500, 500, 500, 429)
  for (const amount of [4, 6, 7]) await fund(it, amount)
  await pay.clock.advance("10 seconds")
  const events = await call("GET", "/operator/events?limit=1")
  await call("GET", endpoint)
  await call("GET", `/operator/events/${idAt(events, "data", 0, "id")}`)
  await call("GET", "/operator/jobs?limit=3")
  await fund(it, 8)
  await wait(it, 1)
  await call("GET", endpoint)
  await wait(it, 3, 30)
  await call("GET", endpoint)
  pay.inbox.answerNext(500, 500, 500, 500)
  for (const amount of [9, 11, 12]) await fund(it, amount)
  await pay.clock.advance("10 seconds")
  await call("POST", `${endpoint}/enable`)
  await wait(it, 2)
  await call("GET", endpoint)
}

const changes = async (it: StepWorld) => {
  const { call, pay } = it
  const last = async () => idAt(await call("GET", "/operator/events?limit=1"), "data", 0, "id")
  await call("POST", `${endpoint}/disable`)
  await call("POST", `${endpoint}/disable`)
  await fund(it, 13)
  await wait(it, 1)
  const waiting = await last()
  await call("GET", `/operator/events/${waiting}`)
  await call("POST", `/operator/events/${waiting}/resend`)
  await call("POST", "/sandbox/webhooks/test")
  await call("POST", `${endpoint}/enable`)
  await call("POST", `${endpoint}/enable`)
  await wait(it, 1)
  const resend = (id: string, more: object = {}) => call("POST", `/operator/events/${id}/resend`, more)
  await pay.clock.advance("5 seconds")
  await resend(waiting)
  pay.inbox.answerNext(500)
  await resend(waiting, { isKeyed: true })
  pay.inbox.answerNext("silence")
  await resend(waiting)
  await resend(nobody)
  await call("GET", `/operator/events/${nobody}`)
  await call("GET", `/operator/events/${waiting}`)
  const send = (id: string, url: string) => call("POST", `/sandbox/events/${id}/send`, { body: { url } })
  await send(nobody, "https://receiver.example/hooks")
  await send(waiting, "http://10.0.0.1/hooks")
  await send(waiting, "ftp://receiver.example")
  pay.inbox.answerNext(503)
  await send(waiting, "https://receiver.example/hooks")
  for (const answer of [500, "silence"] as const) {
    pay.inbox.answerNext(answer)
    await call("POST", "/webhooks/test")
  }
  pay.inbox.deliverTo(async () => new Response("x".repeat(900), { status: 418 }))
  await call("POST", "/sandbox/webhooks/test")
  await fund(it, 14)
  const refused = await last()
  await call("GET", `/operator/events/${refused}`)
  pay.inbox.deliverTo(async () => new Response("thanks"))
  await wait(it, 2)
  await call("GET", `/operator/events/${refused}`)
  await call("PATCH", "/config", { body: { webhookEndpoint: null } })
  await fund(it, 15)
  await call("GET", endpoint)
  for (const path of [`${endpoint}/enable`, `${endpoint}/disable`, "/sandbox/webhooks/test"]) await call("POST", path)
  await resend(refused)
  await call("PATCH", "/config", { body: { webhookEndpoint: "https://third.example/hooks" } })
  await wait(it, 1)
  await call("GET", endpoint)
}

const lists = async ({ call, callers, pay }: StepWorld) => {
  const now = await pay.clock.now()
  const at = (minutes: number) => encodeURIComponent(new Date(now - minutes * 60_000).toISOString())
  for (const filter of [
    "type=TEST&limit=2",
    `subject=${callers.accountId}&limit=2`,
    `customerId=${callers.customerId}&limit=2`,
    `startDate=${at(4)}&limit=2&sortOrder=asc`,
    `endDate=${at(4)}&limit=2`,
    `startDate=${at(5)}&endDate=${at(2)}&type=INTERNAL_ACCOUNT.BALANCE_UPDATED&limit=2`,
  ])
    await call("GET", `/operator/events?${filter}`)
  const cursor = encodeURIComponent(idAt(await call("GET", "/operator/events?limit=2"), "nextCursor"))
  await call("GET", `/operator/events?limit=2&cursor=${cursor}`)
  await call("GET", `/operator/events?limit=2&type=TEST&cursor=${cursor}`)
}

export const eventSteps = async (it: StepWorld) => {
  await circuit(it)
  await changes(it)
  await lists(it)
}

export const proofPorts = Layer.succeed(WebhookTrust, "PROOF")

/** An endpoint that must prove itself: with no answer, a wrong one and the right one; again for another URL; ten times an hour at most. */
export const proofSteps = async (it: StepWorld) => {
  const { call, pay } = it
  let answer = (challenge: string): Response => new Response(challenge)
  pay.inbox.deliverTo(async (request) => {
    const { data, type } = Object(JSON.parse(await request.text()))
    return type === "WEBHOOK_ENDPOINT.VERIFICATION" ? answer(String(data.challenge)) : new Response("")
  })
  await fund(it, 3)
  await wait(it, 1)
  await call("GET", endpoint)
  answer = (challenge) => Response.json({ challenge: `${challenge}0` })
  await wait(it, 1)
  answer = (challenge) => Response.json({ challenge }, { status: 500 })
  await wait(it, 2)
  answer = (challenge) => Response.json({ challenge })
  await wait(it, 8, 60)
  await call("GET", endpoint)
  await call("PATCH", "/config", { body: { webhookEndpoint: "https://other.example/hooks" } })
  await wait(it, 1)
  await call("GET", endpoint)
  answer = () => new Response("no")
  for (const number of [1, 2, 3, 4, 5, 6])
    await call("PATCH", "/config", { body: { webhookEndpoint: `https://other-${number}.example/hooks` } })
  await call("POST", `${endpoint}/disable`)
  await call("POST", `${endpoint}/enable`)
  await wait(it, 5, 60)
  await call("POST", "/sandbox/webhooks/test")
  await call("GET", endpoint)
  answer = (challenge) => Response.json({ challenge })
  await pay.clock.advance("1 hour")
  await call("GET", endpoint)
}
