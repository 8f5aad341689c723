/**
 * The static 3-D Secure factor of a card: only an issuer that takes one receives it, from the provisioning job, and it is stored
 * nowhere in clear.
 * Source: wire contract 3.2; D-181.
 */
import { Issuer, type ProvisionOutcome } from "@countersign/core/ports"
import { Sandbox, SandboxIssuer } from "@countersign/core/sandbox"
import { Effect, Layer, Redacted } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { captureTelemetry } from "../audit/CapturedTelemetry.ts"
import { dump } from "../e2e/Dump.ts"
import { cardHarness, getCard, issueCard, textOf } from "./CardWorld.ts"

const password = "AbCd1234EfGh5678"

/** An issuer that takes passwords: records each one by its card, and gives the scripted outcomes before the sandbox's. */
const passwordIssuer = (...outcomes: ReadonlyArray<ProvisionOutcome>) => {
  const received: Array<readonly [cardId: string, password: string | undefined]> = []
  const layer = Layer.effect(
    Issuer,
    Effect.map(Issuer, (sandbox) => ({
      ...sandbox,
      takesThreeDSecurePassword: true,
      provision: (request: Parameters<typeof sandbox.provision>[0]) => {
        const { reference, threeDSecurePassword } = request
        received.push([reference, threeDSecurePassword && Redacted.value(threeDSecurePassword)])
        const outcome = outcomes[received.length - 1]
        return outcome === undefined ? sandbox.provision(request) : Effect.succeed(outcome)
      },
    })),
  ).pipe(Layer.provide(SandboxIssuer.layer))
  return { received, layer: Layer.merge(Sandbox.layer, layer) }
}

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

describe("a card with a 3-D Secure password", () => {
  it("is provisioned with the password by the job, after the commit", async () => {
    const issuer = passwordIssuer()
    await using pay = await cardHarness({ ports: issuer.layer })
    const issued = await issueCard(pay, { threeDSecurePassword: password })
    expect([issued.status, issuer.received]).toEqual([201, []])
    const id = textOf(issued, "id")
    await pay.settle()
    expect(issuer.received).toEqual([[id, password]])
    expect((await getCard(pay, id)).body).toMatchObject({ state: "ACTIVE" })
  })

  it("sends the same password at each repetition until the issuer has answered", async () => {
    const at = Date.UTC(2026, 0, 1)
    const issuer = passwordIssuer({ _tag: "Unknown", cause: "away" }, { _tag: "Later", at }, { _tag: "Later", at })
    await using pay = await cardHarness({ ports: issuer.layer })
    const id = textOf(await issueCard(pay, { threeDSecurePassword: password }), "id")
    await pay.settle()
    for (let attempt = 1; attempt < 4; attempt++) await pay.clock.advance("1 hour")
    expect(issuer.received).toEqual(Array.from({ length: 4 }, () => [id, password]))
    expect((await getCard(pay, id)).body).toMatchObject({ state: "ACTIVE" })
  })

  it("is provisioned without a password if the request has none", async () => {
    const issuer = passwordIssuer()
    await using pay = await cardHarness({ ports: issuer.layer })
    const id = textOf(await issueCard(pay), "id")
    await pay.settle()
    expect(issuer.received).toEqual([[id, undefined]])
  })

  it("gives the issuer no password of a refused request", async () => {
    const issuer = passwordIssuer()
    await using pay = await cardHarness({ ports: issuer.layer })
    const cardholderId = pay.customerId.replace(/.{4}$/u, "0000")
    expect((await issueCard(pay, { cardholderId, threeDSecurePassword: password })).status).toBe(404)
    await pay.settle()
    expect(issuer.received).toEqual([])
  })

  it("keeps the password out of the store, logs, spans, events and answers", { timeout: 120_000 }, async () => {
    const issuer = passwordIssuer({ _tag: "Unknown", cause: "away" })
    const recorder = captureTelemetry()
    const store = TestDatabase.emptyWorld(database)
    await using pay = await cardHarness({ store, ports: Layer.merge(issuer.layer, recorder.layer) })
    const issued = await issueCard(pay, { platformCardId: "scan-000", threeDSecurePassword: password })
    const waiting = await dump(await database)
    const refused = [
      await issueCard(pay, { platformCardId: "scan-000", threeDSecurePassword: password }),
      await issueCard(pay, { form: "PHYSICAL", threeDSecurePassword: password }),
      await issueCard(pay, { threeDSecurePassword: password.repeat(100) }),
    ]
    await pay.settle()
    await pay.clock.advance("1 hour")
    const places = {
      "store before the job": waiting,
      "store after the job": await dump(await database),
      "logs and spans": recorder.text(),
      events: JSON.stringify(pay.inbox.received),
      answers: JSON.stringify([
        issued.body,
        (await getCard(pay, textOf(issued, "id"))).body,
        ...refused.map((each) => each.body),
      ]),
    }
    // Each searched output has content, and the issuer has the password.
    expect(waiting).toContain("sealedPassword")
    expect(places["logs and spans"]).toContain("Cards.issue")
    for (const place of ["store after the job", "events", "answers"] as const)
      expect(places[place]).toContain("scan-000")
    expect(refused.map(({ status }) => status)).toEqual([409, 400, 400])
    expect(issuer.received).toEqual(Array.from({ length: 2 }, () => [textOf(issued, "id"), password]))
    const hex = Buffer.from(password).toString("hex")
    const base64 = Buffer.from(password).toString("base64").replace(/=+$/u, "")
    for (const [place, text] of Object.entries(places)) {
      const found = [password, hex, base64].filter((secret) => text.includes(secret))
      expect([place, found]).toEqual([place, []])
    }
  })
})
