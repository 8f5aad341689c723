/**
 * The auditor finds each problem of webhooks in a run that was corrupted for it: their addresses, signatures, bodies and repetitions, and the
 * circuit.
 * Source: wire contract 6.2; D-329 to D-333, D-452.
 */
import { describe, it } from "vitest"
import { answering, findsIn, unheard, withBody, withOutside } from "./Corruptions.ts"
import type { SentWebhook } from "./Outside.ts"

const timeout = { timeout: 120_000 }

const finds = findsIn("endpoint", "transfers")

/** Corrupts the attempts to deliver webhooks; `[]` drops one. */
const sent = (corrupt: (each: SentWebhook, index: number) => ReadonlyArray<SentWebhook>) =>
  withOutside(({ webhooks }) => ({ webhooks: () => webhooks().flatMap(corrupt) }))

describe("the auditor of webhooks", timeout, () => {
  it("finds an attempt that went elsewhere, and one to a disabled endpoint", async () => {
    const elsewhere = sent((each) => [{ ...each, url: "https://elsewhere.example" }])
    await finds(elsewhere, /Webhook:\S+ was sent to https:\/\/elsewhere.example, which was not the endpoint/u)
    await finds(
      unheard("POST", /^\/webhooks\/endpoint\/disable$/u, { status: 200, body: {} }),
      /Webhook:\S+ was sent to a disabled endpoint/u,
    )
  })

  it("finds a former address that still receives events", async () => {
    const kept = unheard("PATCH", /^\/config$/u, { status: 200, body: {} })
    await finds(kept, /Webhook:\S+ was sent to https:\/\/platform.example\/hooks, which was not the endpoint/u)
  })

  it("finds a signature by another key, of another body, or at another time", async () => {
    const body = sent((each) => [{ ...each, body: `${each.body} ` }])
    await finds(body, /Webhook:\S+ is not signed by the keys 1/u)
    const late = sent((each) => [{ ...each, wallAt: each.wallAt + 5000 }])
    await finds(late, /Webhook:\S+ is not signed by the keys 1/u)
    const forgotten = answering(
      (method, path) => method === "POST" && path === "/webhooks/keys/rotate",
      (reply) => (reply.status === 201 ? withBody(reply, { data: [{ id: "key-9" }] }) : reply),
    )
    await finds(forgotten, /Webhook:\S+ is not signed by the keys (?:\d\+)*9/u)
  })

  it("finds an event that was never acknowledged, has two bodies, or does not exist", async () => {
    const never = sent((each) => [{ ...each, isAcknowledged: false }])
    await finds(never, /Webhook:\S+ was never acknowledged/u)
    const twice = sent((each) => [each, { ...each, body: `${each.body} ` }])
    await finds(twice, /Webhook:\S+ was sent with different bodies/u)
    const unknown = sent((each) => [{ ...each, id: "Webhook:never" }])
    await finds(unknown, /Webhook:never was sent and is not listed/u)
  })

  it("finds an event that was not sent again, and one that an open circuit did not hold back", async () => {
    const resent = unheard("POST", /^\/operator\/events\/\S+\/resend$/u, { status: 202, body: {} })
    await finds(resent, /Webhook:\S+ was sent \d times, and should be \d times/u)
    const open = answering(
      (method, path) => method === "GET" && path === "/webhooks/endpoint",
      (reply) => withBody(reply, { nextAttemptAt: "2100-01-01T00:00:00Z" }),
    )
    await finds(open, /Webhook:\S+ was sent while the circuit was open/u)
  })
})
