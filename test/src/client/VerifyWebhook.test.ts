/**
 * Verification of webhooks: by key, by secret and by the specified header; the time of the attempt, the platform, every type of event.
 * Source: wire contract 6.2; https://www.standardwebhooks.com; D-331, D-442.
 */
import {
  challengeAnswer,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookBody,
  type WebhookEvent,
  type WebhookEventOf,
  type WebhookHeaders,
  type WebhookKeys,
  WebhookRefused,
} from "@countersign/client/webhook"
import { EventResources, EventTypes } from "@countersign/core/models"
import { harness } from "@countersign/test"
import { overridesFor } from "@countersign/test/arbitraries"
import fc from "fast-check"
import { describe, expect, expectTypeOf, it } from "vitest"
import { encodedOf } from "../../../packages/test/src/arbitraries/FromSchema.ts"
import { foreignKey, platformId, sentAt, signedWebhook, webhookKeys } from "./SignedWebhook.ts"

const [newKey, oldKey] = webhookKeys
const sent = await signedWebhook()
const { body, event, headers } = sent
const secretsOf = (...secrets: ReadonlyArray<string>) => ({ secrets })
const options: VerifyWebhookOptions = { platformId, now: () => sentAt }

interface Changes {
  readonly headers?: WebhookHeaders
  readonly body?: WebhookBody
  readonly keys?: WebhookKeys
  readonly options?: VerifyWebhookOptions
}

/** Verifies the sent webhook with changes; returns the reason of a refusal. */
const outcomeOf = (changes: Changes = {}) =>
  verifyWebhook(changes.headers ?? headers, changes.body ?? body, changes.keys ?? [newKey], {
    ...options,
    ...changes.options,
  }).then(
    () => "ACCEPTED",
    (error: unknown) => (error instanceof WebhookRefused ? error.reason : error),
  )

/** The sent headers with others in their place; `undefined` removes one. */
const withHeaders = (changes: Readonly<Record<string, string | undefined>>) => ({ ...headers, ...changes })

const bySecret = secretsOf(newKey.secret)
const byHeader = { publicKey: oldKey.publicKey }
const forms: ReadonlyArray<readonly [string, WebhookKeys]> = [
  ["keys", [newKey]],
  ["secrets", bySecret],
  ["the specified header", byHeader],
]

describe("a refusal", () => {
  it.each([
    ["SIGNATURE_MISMATCH", { body: `${body} ` }, "The signature does not match the body and the public key."],
    ["INVALID_SECRET", { keys: secretsOf("key") }, "A webhook secret must be `whsec_` and base64."],
  ] as const)("has a stable reason and a sentence for people: %s", async (reason, changes, message) => {
    const { keys = secretsOf(newKey.secret), ...others } = { keys: undefined, ...changes }
    const refused = verifyWebhook(headers, "body" in others ? others.body : body, keys, options)
    await expect(refused).rejects.toMatchObject({ name: "WebhookRefused", reason, message })
  })
})

describe("a delivery during a rotation", () => {
  it.each<[string, WebhookKeys]>([
    ["the new key", [newKey]],
    ["the old key", [oldKey]],
    ["both keys", [oldKey, newKey]],
    ["a key that is retiring", [{ ...oldKey, state: "RETIRING", retiresAt: "2026-01-02T03:04:06Z" }]],
    ["the new secret", bySecret],
    ["the old secret", secretsOf(oldKey.secret)],
    ["the new secret beside another platform's", secretsOf(foreignKey.secret, newKey.secret)],
    ["the old public key and the specified header alone", byHeader],
  ])("is accepted with %s", async (_, keys) => {
    expect(await verifyWebhook(headers, body, keys, options)).toEqual(event)
  })

  it.each([
    ["a key that has retired", { state: "RETIRED" }],
    ["a key that retired before the attempt", { state: "RETIRING", retiresAt: "2026-01-02T03:04:05Z" }],
  ])("is refused with %s, although its signature is right", async (_, retired) => {
    expect(await outcomeOf({ keys: [{ ...newKey, ...retired }] })).toBe("UNKNOWN_KEY")
    expect(await outcomeOf({ keys: [{ ...newKey, ...retired }, oldKey] })).toBe("ACCEPTED")
  })
})

describe("an event", () => {
  it.each(EventTypes.keys)("of type %s is returned with its data", async (type) => {
    const generated = encodedOf<unknown>(EventResources.get(EventTypes.get(type)), overridesFor({}))
    for (const data of fc.sample(generated, 3)) {
      const signed = await signedWebhook({ event: { type, data } })
      for (const [, keys] of forms) {
        expect(await verifyWebhook(signed.headers, signed.body, keys, options)).toEqual(JSON.parse(signed.body))
      }
    }
  })

  it("of a later type is returned as it is", async () => {
    const signed = await signedWebhook({ event: { type: "LATER.TYPE" } })
    expect(await verifyWebhook(signed.headers, signed.body, [newKey], options)).toEqual(signed.event)
  })

  it("without data has empty data", async () => {
    const signed = await signedWebhook({ event: { data: undefined } })
    expect(await verifyWebhook(signed.headers, signed.body, [newKey], options)).toEqual({ ...event, data: {} })
  })

  it("is narrowed by its type, and every type of the table has data of its own", () => {
    expectTypeOf<WebhookEvent["type"]>().toEqualTypeOf<(typeof EventTypes.keys)[number]>()
    expectTypeOf<WebhookEventOf<"CARD.STATE_CHANGE">["data"]["last4"]>().toEqualTypeOf<string | undefined>()
    expectTypeOf<WebhookEventOf<"TEST">["data"]>().not.toHaveProperty("last4")
    const amountOf = (received: WebhookEvent): number | undefined => {
      if (received.type === "INTERNAL_ACCOUNT.BALANCE_UPDATED") return received.data.balance.amount
      expectTypeOf(received.type).not.toExtend<"INTERNAL_ACCOUNT.BALANCE_UPDATED">()
      return undefined
    }
    expectTypeOf(amountOf).returns.toEqualTypeOf<number | undefined>()
    expectTypeOf<"CARD.NO_SUCH_EVENT">().not.toExtend<Parameters<typeof narrowed>[0]>()
  })

  it("that challenges the endpoint has its answer, and no other event has one", async () => {
    const type = "WEBHOOK_ENDPOINT.VERIFICATION"
    const { body: text, headers: own } = await signedWebhook({ event: { type, data: { challenge: "c" } } })
    expect(challengeAnswer(await verifyWebhook(own, text, [newKey], options))).toEqual({ challenge: "c" })
    expect(challengeAnswer(await verifyWebhook(headers, body, [newKey], options))).toBeUndefined()
  })
})

/** Only for its parameter's type: what `WebhookEventOf` accepts. */
const narrowed = <Type extends WebhookEvent["type"]>(type: Type): Type => type

describe("a webhook", () => {
  it.each<[string, string, Changes]>([
    ["keys that did not sign", "UNKNOWN_KEY", { keys: [foreignKey] }],
    ["no keys", "UNKNOWN_KEY", { keys: [] }],
    ["another key under the id that signed", "SIGNATURE_MISMATCH", { keys: [{ ...foreignKey, id: newKey.id }] }],
    ["a given key that cannot be read", "INVALID_PUBLIC_KEY", { keys: [{ id: newKey.id, publicKey: "none" }] }],
    ["another platform's secret", "SIGNATURE_MISMATCH", { keys: secretsOf(foreignKey.secret) }],
    ["no secrets", "SIGNATURE_MISMATCH", { keys: secretsOf() }],
    ["a secret without its prefix", "INVALID_SECRET", { keys: secretsOf("AAAA") }],
    ["an empty secret", "INVALID_SECRET", { keys: secretsOf("whsec_") }],
    ["another platform's public key", "SIGNATURE_MISMATCH", { keys: { publicKey: foreignKey.publicKey } }],
    ["another id", "SIGNATURE_MISMATCH", { headers: withHeaders({ "webhook-id": "Webhook:0" }) }],
    ["another time", "SIGNATURE_MISMATCH", { headers: withHeaders({ "webhook-timestamp": "1767323046" }) }],
    [
      "another time, by secret",
      "SIGNATURE_MISMATCH",
      { keys: bySecret, headers: withHeaders({ "webhook-timestamp": "1767323046" }) },
    ],
    ["no id", "INVALID_TIMESTAMP", { headers: withHeaders({ "webhook-id": undefined }) }],
    ["an id of other characters", "INVALID_TIMESTAMP", { headers: withHeaders({ "webhook-id": "a b" }) }],
    ["no time", "INVALID_TIMESTAMP", { headers: withHeaders({ "webhook-timestamp": undefined }) }],
    ["a time that is not a number", "INVALID_TIMESTAMP", { headers: withHeaders({ "webhook-timestamp": "1e9" }) }],
    [
      "no signature by key",
      "INVALID_SIGNATURE_HEADER",
      { headers: withHeaders({ "X-Service-Key-Signatures": undefined }) },
    ],
    [
      "only the specified header, although keys are given",
      "INVALID_TIMESTAMP",
      { headers: { "X-Service-Signature": headers["X-Service-Signature"] } },
    ],
    [
      "no symmetric signature",
      "INVALID_SIGNATURE_HEADER",
      { keys: bySecret, headers: withHeaders({ "webhook-signature": undefined }) },
    ],
    [
      "a symmetric signature of an unknown scheme only",
      "SIGNATURE_MISMATCH",
      {
        keys: bySecret,
        headers: withHeaders({ "webhook-signature": headers["webhook-signature"]?.replaceAll("v1,", "v2,") }),
      },
    ],
    [
      "a header above 8192 characters",
      "INVALID_SIGNATURE_HEADER",
      {
        headers: withHeaders({
          "X-Service-Key-Signatures": `${headers["X-Service-Key-Signatures"]}${" ".repeat(8192)}x`,
        }),
      },
    ],
  ])("is refused with %s as %s", async (_, reason, changes) => {
    expect(await outcomeOf(changes)).toBe(reason)
  })

  it.each(forms)("by %s is refused with an altered body, and with another platform than expected", async (_, keys) => {
    expect(await outcomeOf({ keys })).toBe("ACCEPTED")
    for (const altered of [`${body} `, "", body.replace("TEST", "CARD.STATE_CHANGE"), body.replace("Ł", "L")]) {
      expect(await outcomeOf({ keys, body: altered })).toBe("SIGNATURE_MISMATCH")
    }
    expect(await outcomeOf({ keys, options: { platformId: "PlatformConfig:other" } })).toBe("FOREIGN_PLATFORM")
  })

  it.each(forms)("by %s is refused if what was signed is not an event", async (_, keys) => {
    const { id: _id, ...withoutId } = event
    const texts = ["not json", "[]", "null", '"text"', JSON.stringify(withoutId), JSON.stringify({ ...event, type: 1 })]
    for (const text of texts) {
      const signed = await signedWebhook({ body: text })
      expect(await outcomeOf({ keys, headers: signed.headers, body: text })).toBe("INVALID_BODY")
    }
  })

  it("is refused if its body has another id than its headers", async () => {
    const signed = await signedWebhook({ event: { id: "Webhook:other" } })
    expect(await outcomeOf(signed)).toBe("INVALID_BODY")
    expect(await outcomeOf({ ...signed, keys: bySecret })).toBe("INVALID_BODY")
  })

  it.each(forms.slice(0, 2))(
    "by %s is refused as a replay or from the future, outside of the tolerance",
    async (_, keys) => {
      const after = (seconds: number, toleranceSeconds?: number) =>
        outcomeOf({
          keys,
          options: {
            now: () => sentAt + seconds * 1000,
            ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
          },
        })
      expect(await Promise.all([after(-300), after(300), after(20, 20)])).toEqual(Array(3).fill("ACCEPTED"))
      const outside = await Promise.all([after(-301), after(301), after(21, 20), after(Number.NaN)])
      expect(outside).toEqual(Array(4).fill("TIMESTAMP_OUT_OF_TOLERANCE"))
    },
  )
})

describe("the names of a deployment", () => {
  const names = { serviceName: "Acme", signatureForm: "plain" } as const

  it.each(forms)("are those of the contract in the event, verified by %s", async (_, keys) => {
    const data = { stateReason: "CLOSED_BY_ACME", platformCardId: "CLOSED_BY_SERVICE" }
    const signed = await signedWebhook({ event: { type: "CARD.STATE_CHANGE", data }, names })
    const neutral = { stateReason: "CLOSED_BY_SERVICE", platformCardId: "CLOSED_BY_SERVICE" }
    const verified = await verifyWebhook(signed.headers, signed.body, keys, { ...options, serviceName: "Acme" })
    expect(verified.data).toEqual(neutral)
  })

  it("are needed for the headers of its own", async () => {
    const signed = await signedWebhook({ names })
    for (const keys of [[newKey], byHeader]) {
      expect(await outcomeOf({ ...signed, keys })).toBe("INVALID_SIGNATURE_HEADER")
    }
  })
})

describe("a running service", () => {
  it("sends webhooks that are verified as events, by each of the three forms of keys", async () => {
    await using pay = await harness()
    const { data: keys } = await pay.client.webhooks.listWebhookKeys()
    const { secret } = await pay.client.webhooks.revealWebhookSecret({ params: { keyId: keys[0]?.id ?? "" } })
    const events: Array<WebhookEvent> = []
    pay.webhooks.deliverTo(async (request) => {
      const now = await pay.clock.now()
      const bytes = await request.arrayBuffer()
      for (const given of [keys, { secrets: [secret] }, { publicKey: pay.webhooks.publicKey() }]) {
        const verified = verifyWebhook(request.headers, bytes, given, { platformId: pay.platformId, now: () => now })
        events.push(await verified)
      }
      return new Response()
    })
    const payload = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" } as const
    const { id: customerId } = await pay.client.customers.createCustomer({ payload })
    const { data } = await pay.client.accounts.listInternalAccounts({ query: { customerId, currency: "USD" } })
    const accountId = data[0]?.id ?? ""
    await pay.client.sandbox.sandboxFundInternalAccount({ params: { accountId }, payload: { amount: 1_250 } })
    await pay.webhooks.waitFor("INTERNAL_ACCOUNT.BALANCE_UPDATED")
    const amounts = events.flatMap((each) =>
      each.type === "INTERNAL_ACCOUNT.BALANCE_UPDATED" ? [[each.data.id, each.data.balance.amount]] : [],
    )
    expect(amounts).toEqual(Array(3).fill([accountId, 1_250]))
  })
})
