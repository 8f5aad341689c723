/**
 * Card reveals: the URL is new, short-lived and signed; its page is safe in a frame and shows a test card. Only the answer to a
 * reveal contains the URL, and only the page the card's number.
 * Spec: 4.4, Card, Limits; wire contract 3.4 and 11 (45, 48, 60); D-178, D-179.
 */
import { CardReveals } from "@countersign/core"
import { Issuer } from "@countersign/core/ports"
import { frameMillis, Sandbox, SandboxIssuer, testCard } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { captureTelemetry } from "../audit/CapturedTelemetry.ts"
import { recordOf, records } from "../audit/Records.ts"
import { dump } from "../e2e/Dump.ts"
import {
  activeCard,
  approved,
  authorizeCard,
  type CardHarness,
  cardHarness,
  issueCard,
  membersOf,
  patchCard,
  simulate,
  textOf,
} from "./CardWorld.ts"

const reveal = (pay: CardHarness, cardId: string) => pay.send("POST", `/cards/${cardId}/reveal`)
const urlOf = async (pay: CardHarness, cardId: string) => textOf(await reveal(pay, cardId), "panEmbedUrl")
const open = async (pay: CardHarness, url: string) => {
  const response = await pay.fetch(new Request(url))
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Audit records of a card's reveals. */
const auditOf = (pay: CardHarness, cardId: string) => records(pay, `operation=CARD_REVEAL&target=${cardId}`)

describe("POST /cards/{id}/reveal", () => {
  // Proves: RES-CARD-15, RES-CARD-16
  // Proves: EP-CARD-20, EP-CARD-22, EP-CARD-24, EP-CARD-25
  it("returns a new URL of this server, valid for five minutes, and audits the caller and the time", async () => {
    await using pay = await cardHarness()
    const cardId = await activeCard(pay)
    const now = await pay.clock.now()
    const first = await reveal(pay, cardId)
    expect(first.status).toBe(200)
    expect(Object.keys(membersOf(first)).toSorted()).toEqual(["expiresAt", "panEmbedUrl"])
    expect(Date.parse(textOf(first, "expiresAt"))).toBe(now + frameMillis)
    expect(new URL(textOf(first, "panEmbedUrl")).origin).toBe(new URL(pay.baseUrl).origin)
    expect(first.headers.get("cache-control")).toBe("no-store")
    expect(await urlOf(pay, cardId)).not.toBe(textOf(first, "panEmbedUrl"))
    const audit = await auditOf(pay, cardId)
    expect(audit.map(({ createdAt }) => Date.parse(createdAt))).toEqual([now, now])
    expect(await recordOf(pay, first)).toMatchObject({
      operation: "CARD_REVEAL",
      actor: { type: "PLATFORM", id: expect.stringMatching(/^Token:/u) },
      target: cardId,
      customerId: pay.customerId,
      outcome: "DONE",
      details: {},
    })
  })

  it("begins the reveal URL with the configured address, whatever the request's headers say", async () => {
    await using pay = await cardHarness()
    const cardId = await activeCard(pay)
    for (const headers of [
      {},
      { host: "evil.example:8443", "x-forwarded-proto": "https", forwarded: "host=evil.example" },
    ]) {
      const reply = await pay.send("POST", `/cards/${cardId}/reveal`, { headers })
      expect(new URL(textOf(reply, "panEmbedUrl")).origin).toBe("http://countersign.test")
    }
  })

  it("reveals a frozen card, but no closed or unprovisioned one", async () => {
    await using pay = await cardHarness()
    const cardId = await activeCard(pay)
    await patchCard(pay, cardId, { state: "FROZEN" })
    expect((await reveal(pay, cardId)).status).toBe(200)
    await patchCard(pay, cardId, { state: "CLOSED" })
    const waiting = textOf(await issueCard(pay, { platformCardId: "x-001" }), "id")
    for (const id of [cardId, waiting]) {
      expect(await reveal(pay, id)).toMatchObject({ status: 409, body: { code: "CARD_NOT_MUTABLE" } })
    }
    expect([(await auditOf(pay, cardId)).length, (await auditOf(pay, waiting)).length]).toEqual([1, 0])
  })

  it("refuses a reveal to a caller without a credential", async () => {
    await using pay = await cardHarness()
    const cardId = await activeCard(pay)
    const anonymous = CardReveals.use((reveals) => reveals.reveal(cardId, "https://pay.example"))
    expect(await pay.run(Effect.flip(anonymous))).toMatchObject({ code: "FORBIDDEN" })
    expect(await auditOf(pay, cardId)).toEqual([])
  })

  // Proves: EP-CARD-25
  it("audits a reveal before it asks the issuer, and answers 503 while the issuer is unavailable", async () => {
    const away = Layer.effect(
      Issuer,
      Effect.map(Issuer, (sandbox) => ({
        ...sandbox,
        reveal: () => Effect.succeed({ _tag: "Unknown", cause: "away" } as const),
      })),
    ).pipe(Layer.provide(SandboxIssuer.layer))
    await using pay = await cardHarness({ ports: Layer.merge(Sandbox.layer, away) })
    const cardId = await activeCard(pay)
    expect(await reveal(pay, cardId)).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } })
    expect((await auditOf(pay, cardId)).length).toBe(1)
  })
})

describe("reveal page", () => {
  // Proves: RES-CARD-15
  it("shows a card that is marked as a test card, with headers for a safe frame", async () => {
    await using pay = await cardHarness()
    const cardId = await activeCard(pay)
    const page = await open(pay, await urlOf(pay, cardId))
    const { last4, number, securityCode } = testCard(cardId)
    expect(page.status).toBe(200)
    expect(page.text).toContain("TEST CARD: no real account")
    expect(page.text).toContain(number.replace(/(\d{4})(?=\d)/gu, "$1 "))
    expect(page.text).toContain(securityCode)
    expect(page.text).toContain("11/2029")
    expect((await pay.send("GET", `/cards/${cardId}`)).body).toMatchObject({ last4 })
    expect(number).toMatch(/^40000000000\d{5}$/u)
    expect(page.text).not.toMatch(/<script/iu)
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    })
    const policy = page.headers.get("content-security-policy") ?? ""
    for (const part of ["default-src 'none'", "frame-ancestors https:", "form-action 'none'", "sandbox"]) {
      expect(policy).toContain(part)
    }
  })

  // Proves: RES-CARD-16, LIM-05
  it("refuses a reveal URL after five minutes", async () => {
    await using pay = await cardHarness()
    const cardId = await activeCard(pay)
    const url = await urlOf(pay, cardId)
    await pay.clock.advance("299 seconds")
    expect((await open(pay, url)).status).toBe(200)
    await pay.clock.advance("1 second")
    const late = await open(pay, url)
    expect(late.status).toBe(403)
    expect(late.text).toContain("expired")
    expect(late.text).not.toContain("4000")
  })

  // Proves: RES-CARD-15
  it("refuses a reveal URL with any changed or missing parameter", async () => {
    await using pay = await cardHarness()
    const [cardId, other] = [await activeCard(pay), await activeCard(pay)]
    const url = await urlOf(pay, cardId)
    const altered = (name: string, value: string) => {
      const changed = new URL(url)
      changed.searchParams.set(name, value)
      return changed.href
    }
    const far = String((await pay.clock.now()) + 10 * frameMillis)
    const tries = [
      altered("card", other),
      altered("expires", far),
      altered("month", "1"),
      altered("year", "2099"),
      altered("signature", ""),
      altered("signature", new URL(await urlOf(pay, other)).searchParams.get("signature") ?? ""),
      url.split("?")[0] ?? "",
    ]
    for (const each of tries) {
      const page = await open(pay, each)
      expect([page.status, page.text.includes("4000"), page.text.includes("not valid")]).toEqual([403, false, true])
    }
    const signature = new URL(url).searchParams.get("signature") ?? ""
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: signature.length - 1 }), fc.constantFrom("A", "z", "_"), async (at, letter) => {
        fc.pre(signature[at] !== letter)
        // The last base64 character may contain unused bits.
        fc.pre(at < signature.length - 1)
        const changed = `${signature.slice(0, at)}${letter}${signature.slice(at + 1)}`
        expect((await open(pay, altered("signature", changed))).status).toBe(403)
      }),
      { numRuns: 20 },
    )
  })
})

describe("test card", () => {
  it("derives the test card from the card's id with a valid check digit", () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        const card = testCard(`Card:${uuid}`)
        expect(card).toEqual(testCard(`Card:${uuid}`))
        expect(card.number).toMatch(/^40000000000\d{5}$/u)
        expect(card.number.endsWith(card.last4)).toBe(true)
        expect(card.securityCode).toMatch(/^\d{3}$/u)
        const digits = [...card.number].map(Number)
        const doubled = digits.map((digit, at) => (at % 2 === 0 ? digit * 2 - (digit > 4 ? 9 : 0) : digit))
        expect(doubled.reduce((total, digit) => total + digit, 0) % 10).toBe(0)
      }),
    )
  })
})

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

describe("secrecy of reveals", { timeout: 120_000 }, () => {
  // Proves: RES-CARD-13, RES-CARD-14
  // Proves: EP-CARD-21, EP-CARD-23
  it("keeps the reveal URL and the card's number out of the store, logs, events and other answers", async () => {
    const store = TestDatabase.emptyWorld(database)
    const recorder = captureTelemetry()
    await using pay = await cardHarness({ store, ports: Layer.merge(Sandbox.layer, recorder.layer) })
    const answers: Array<string> = []
    const keep = async (reply: ReturnType<typeof reveal>) => {
      const { body, headers } = await reply
      answers.push(JSON.stringify([body, [...headers]]))
    }
    const cardId = await activeCard(pay, { platformCardId: "scan-000" })
    const urls = [await urlOf(pay, cardId), await urlOf(pay, cardId)]
    const pages = await Promise.all(urls.map((url) => open(pay, url)))
    const id = await approved(pay, cardId, 300)
    await keep(simulate(pay, cardId, "clearing", { cardTransactionId: id, amount: 400 }))
    await pay.settle()
    await keep(simulate(pay, cardId, "return", { cardTransactionId: id, amount: 400 }))
    await keep(authorizeCard(pay, cardId, 1, { suffix: "003" }))
    await keep(patchCard(pay, cardId, { state: "FROZEN", maxSpendPerTransaction: 5 }))
    urls.push(await urlOf(pay, cardId))
    await keep(patchCard(pay, cardId, { state: "CLOSED" }))
    await keep(reveal(pay, cardId))
    await keep(pay.send("GET", `/cards/${cardId}`))
    await keep(pay.send("GET", "/cards"))
    await keep(pay.send("GET", "/transactions"))
    await keep(pay.send("GET", `/transactions/${id}`))
    await pay.clock.advance("8 days")
    const { number } = testCard(cardId)
    const spaced = number.replace(/(\d{4})(?=\d)/gu, "$1 ")
    const secrets = [number, spaced, ...urls, ...urls.map((url) => new URL(url).searchParams.get("signature") ?? url)]
    expect(secrets.filter((secret) => secret.length < 16)).toEqual([])
    const outputs = {
      database: await dump(await database),
      logs: recorder.text(),
      webhooks: JSON.stringify(pay.inbox.received),
      answers: answers.join("\n"),
    }
    // Each output has its expected content, and the page has the number.
    expect(outputs.database).toContain("scan-000")
    expect(outputs.webhooks).toContain("scan-000")
    expect(outputs.answers).toContain("scan-000")
    expect(recorder.spans.length).toBeGreaterThan(20)
    expect(outputs.logs).toContain("CardReveals.reveal")
    expect(pages.every(({ text }) => text.includes(spaced))).toBe(true)
    for (const [output, text] of Object.entries(outputs)) {
      expect([output, secrets.filter((secret) => text.includes(secret))]).toEqual([output, []])
    }
  })
})
