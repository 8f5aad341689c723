/**
 * Codes that an attacker makes the service send, at the platform's expense or to annoy their recipient. They are refused before the
 * provider is asked.
 * Source: D-336.
 */
import { OtpSender, ScaProvider, SecurityCodes, UseLimitSettings } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { functions } from "../../../packages/adapter-postgres/src/functions/Functions.ts"
import { limitKey } from "../../../packages/core/src/model/limit/LimitCounter.ts"
import { type Harness, harness, type Reply } from "../../../packages/test/src/harness/Harness.ts"
import { between, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"
import { added, usd } from "../account/ExternalAccountRequests.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { newPerson } from "../customer/CustomerRequests.ts"
import { enrollPasskey, signIn, trustPath } from "../sca/TrustRequests.ts"
import { newWallet, textAt } from "../wallet/People.ts"

const phoneNumber = "+14155550123"
const european = { region: "EU", email: "ada@example.com", phoneNumber }

/** Ports that record what they send, and limits of the test. */
const recording = (settings: Partial<(typeof UseLimitSettings)["Service"]> = {}) => {
  const sent: Array<string> = []
  const record = (recipient: string | undefined) => Effect.sync(() => void sent.push(recipient ?? "nobody"))
  const ports = Layer.mergeAll(
    Layer.effect(
      SecurityCodes,
      Effect.map(SecurityCodes, (real) => ({
        ...real,
        send: ({ address }: { readonly address: string }) => record(address),
      })),
    ),
    Layer.effect(
      ScaProvider,
      Effect.map(ScaProvider, (real) => ({
        ...real,
        challenge: (request: Parameters<typeof real.challenge>[0]) =>
          Effect.andThen(
            request.factor === "SMS_OTP" ? record(request.phoneNumber) : Effect.void,
            real.challenge(request),
          ),
      })),
    ),
    Layer.effect(
      OtpSender,
      Effect.map(OtpSender, (real) => ({
        ...real,
        send: ({ contact }: { readonly contact: string }) => record(contact),
      })),
    ),
    Layer.effect(
      UseLimitSettings,
      Effect.map(UseLimitSettings, (chosen) => ({ ...chosen, ...settings })),
    ),
  ).pipe(Layer.provideMerge(Sandbox.layer))
  return { sent, options: { scaRegions: ["EU"], ports } satisfies WorldOptions }
}

interface Way {
  readonly name: string
  /** Returns a call that makes the service send a code. */
  readonly prepare: (options: WorldOptions) => Promise<{ readonly pay: Harness; readonly send: () => Promise<Reply> }>
}

const contact = (kind: "email" | "phone"): Way => ({
  name: `the confirmation of the ${kind}`,
  prepare: async (options) => {
    const pay = await harness(options)
    const id = await newPerson(pay, european)
    return { pay, send: () => pay.send("POST", `/customers/${id}/verify-${kind}`) }
  },
})

const ways: ReadonlyArray<Way> = [
  contact("email"),
  contact("phone"),
  {
    name: "the challenge of a credential",
    prepare: async (options) => {
      const pay = await harness(options)
      const { emailId } = await newWallet(pay)
      return { pay, send: () => pay.send("POST", `/auth/credentials/${emailId}/challenge`) }
    },
  },
  {
    name: "the start of a strong sign-in",
    prepare: async (options) => {
      const pay = await harness(options)
      const id = await newPerson(pay, european)
      const path = `/sca/login/start?customerId=${id}`
      return { pay, send: () => pay.send("POST", path, { body: { factor: "SMS_OTP" } }) }
    },
  },
  {
    name: "a request to trust an account",
    prepare: async (options) => {
      const pay = await harness(options)
      // The sign-in needs no code, so that all codes are those of the requests. Each call signs in again, since a session ends.
      const customerId = await newPerson(pay, european)
      await enrollPasskey(pay, customerId)
      const path = trustPath(await added(pay, { ...usd(), customerId }))
      return {
        pay,
        send: async () => {
          await signIn(pay, customerId, "PASSKEY")
          return pay.send("POST", path)
        },
      }
    },
  },
  {
    name: "the execution of a quote",
    prepare: async (options) => {
      const pay = await quoteHarness(options, european)
      await pay.fund("USD", 100_000)
      const request = between(await pay.accountId("USD"), await pay.external("MXN"), 1000)
      return { pay, send: async () => pay.execute(textAt(await pay.quote(request), "id")) }
    },
  },
  {
    name: "a quote that is executed at once",
    prepare: async (options) => {
      const pay = await quoteHarness(options, european)
      await pay.fund("USD", 100_000)
      const request = between(await pay.accountId("USD"), await pay.external("MXN"), 1000, { immediatelyExecute: true })
      return { pay, send: () => pay.quote(request) }
    },
  },
  {
    name: "a repeated code of a quote",
    prepare: async (options) => {
      const pay = await quoteHarness(options, european)
      await pay.fund("USD", 100_000)
      const request = between(await pay.accountId("USD"), await pay.external("MXN"), 1000)
      let challenged: string | undefined
      const execute = async () => {
        const id = textAt(await pay.quote(request), "id")
        const executed = await pay.execute(id)
        challenged = executed.status === 200 ? id : undefined
        return executed
      }
      const resend = (id: string) => {
        challenged = undefined
        return pay.send("POST", `/quotes/${id}/authorize/resend`)
      }
      return { pay, send: () => (challenged === undefined ? execute() : resend(challenged)) }
    },
  },
]

const hour = 60 * 60 * 1000
const day = 24 * hour

const limited = (reason: string) => ({ status: 429, body: { code: "RATE_LIMITED", details: { reason } } })
const secondsToMidnight = String(12 * 60 * 60)

const count = async (send: () => Promise<Reply>, calls: number) => {
  const replies: Array<Reply> = []
  for (let call = 0; call < calls; call++) replies.push(await send())
  return replies
}

const proveSends = (open: (options: WorldOptions) => WorldOptions) => {
  it.each(ways)("stop at the limit of the recipient and begin again the next day, by $name", async ({ prepare }) => {
    const { options, sent } = recording({ counts: { CODE_SENDS_TO_RECIPIENT: 4 } })
    const { pay, send } = await prepare(open(options))
    await using _ = pay
    const replies = await count(send, 6)
    expect(replies.slice(0, 4).map(({ status }) => status < 300)).toEqual([true, true, true, true])
    for (const reply of replies.slice(4)) expect(reply).toMatchObject(limited("CODE_SENDS_TO_RECIPIENT"))
    expect(sent).toHaveLength(4)
    const { headers } = replies.at(-1) ?? { headers: new Headers() }
    expect(headers.get("retry-after")).toBe(secondsToMidnight)
    const fields = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"]
    expect(fields.map((name) => headers.get(name))).toEqual(["4", "0", secondsToMidnight])
    await pay.clock.advance("12 hours")
    expect((await send()).status).toBeLessThan(300)
    expect(sent).toHaveLength(5)
  })

  it("stop at the limit for any number of requests at once", async () => {
    const { options, sent } = recording({ counts: { CODE_SENDS_TO_RECIPIENT: 7 } })
    await using pay = await harness(open(options))
    const { emailId } = await newWallet(pay)
    const id = await newPerson(pay, european)
    const path = `/customers/${id}/verify-phone`
    const replies = await Promise.all([
      ...Array.from({ length: 30 }, () => pay.send("POST", path)),
      ...Array.from({ length: 30 }, () => pay.send("POST", `/auth/credentials/${emailId}/challenge`)),
    ])
    expect(sent.filter((recipient) => recipient === phoneNumber)).toHaveLength(7)
    expect(sent.filter((recipient) => recipient !== phoneNumber)).toHaveLength(7)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(46)
  })

  it.each([
    ["CODE_SENDS_FOR_CUSTOMER", 3],
    ["CODE_SENDS_OF_PLATFORM", 3],
    ["CODE_SENDS_TO_PREFIX", 3],
    // 2 cents each
    ["CODE_PRICE_OF_PLATFORM", 7],
  ] as const)("stop at %s", async (name, max) => {
    const { options, sent } = recording({ counts: { [name]: max } })
    await using pay = await harness(open(options))
    const one = await newPerson(pay, european)
    const other =
      name === "CODE_SENDS_FOR_CUSTOMER" ? one : await newPerson(pay, { ...european, phoneNumber: "+14155550199" })
    const replies = await count(() => pay.send("POST", `/customers/${one}/verify-phone`), 3)
    expect(replies.map(({ status }) => status)).toEqual([204, 204, 204])
    expect(await pay.send("POST", `/customers/${other}/verify-phone`)).toMatchObject(limited(name))
    expect(sent).toHaveLength(3)
  })
}

describe("codes, in memory", () => {
  proveSends((options) => ({ ...options, interleave: 5 }))

  it("leave few counters behind, however many days pass", async () => {
    const { options } = recording()
    await using pay = await harness(options)
    const id = await newPerson(pay, european)
    for (let days = 0; days < 12; days++) {
      expect((await pay.send("POST", `/customers/${id}/verify-phone`)).status).toBe(204)
      await pay.clock.advance("1 day")
    }
    const { counters } = (await pay.snapshot()).store as { readonly counters: unknown }
    const kept = JSON.stringify(counters).split("limit:").length - 1
    expect(kept).toBeGreaterThan(0)
    expect(kept).toBeLessThanOrEqual(10)
  })

  it("are never sent to numbers whose owner earns with each message", async () => {
    const { options, sent } = recording()
    await using pay = await harness(options)
    for (const expensive of ["+19005550123", "+88161234567", "+979123456789"]) {
      const id = await newPerson(pay, { ...european, phoneNumber: expensive })
      expect(await pay.send("POST", `/customers/${id}/verify-phone`)).toMatchObject({
        status: 400,
        body: { details: { reason: "RECIPIENT_NOT_SUPPORTED" } },
      })
    }
    expect(sent).toEqual([])
  })

  it("count towards a recipient however the address is written, and not towards another one", async () => {
    const { options } = recording({ counts: { CODE_SENDS_TO_RECIPIENT: 1 } })
    await using pay = await harness(options)
    const send = async (email: string) =>
      (await pay.send("POST", `/customers/${await newPerson(pay, { ...european, email })}/verify-email`)).status
    expect([await send("ada@example.com"), await send("Ada@Example.com"), await send("bob@example.com")]).toEqual([
      204, 429, 204,
    ])
  })
})

describe("codes, on PostgreSQL", { timeout: 120_000 }, () => {
  let database: TestDatabase.TestDatabase
  beforeAll(async () => {
    database = await TestDatabase.create(8)
  }, 60_000)
  afterAll(() => database.close())
  proveSends((options) => ({ ...options, store: TestDatabase.emptyWorld(Promise.resolve(database)) }))

  it("leave no counters of windows that ended more than an hour ago", async () => {
    await using _ = await harness({ store: TestDatabase.emptyWorld(Promise.resolve(database)) })
    await database.pool.query(
      `insert into countersign.counter (owner_id, platform_id, key, value)
       select 'p', 'p', key, 1 from unnest($1::text[]) as key`,
      [[limitKey("CODE_SENDS_OF_PLATFORM", "old", 0), limitKey("CODE_SENDS_OF_PLATFORM", "live", 2 * day), "other"]],
    )
    await database.pool.query(`select ${functions.forget}(0, $1, 100)`, [day + hour + 1])
    const { rows } = await database.pool.query<{ readonly key: string }>(
      "select key from countersign.counter where platform_id = 'p' order by key",
    )
    expect(rows.map(({ key }) => key)).toEqual([limitKey("CODE_SENDS_OF_PLATFORM", "live", 2 * day), "other"])
  })

  it("leave no address in the table of counters", async () => {
    const { options } = recording()
    await using pay = await harness({ ...options, store: TestDatabase.emptyWorld(Promise.resolve(database)) })
    const id = await newPerson(pay, european)
    await pay.send("POST", `/customers/${id}/verify-phone`)
    await pay.send("POST", `/customers/${id}/verify-email`)
    const { rows } = await database.pool.query<{ readonly key: string }>(
      "select key from countersign.counter where key like 'limit:%'",
    )
    expect(rows.length).toBeGreaterThan(4)
    expect(rows.map(({ key }) => key).join()).not.toMatch(/ada@|4155550123/u)
  })
})
