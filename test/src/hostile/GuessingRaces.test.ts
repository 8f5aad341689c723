/**
 * Guesses that are sent at once, in memory and on PostgreSQL: never more of them are distinguished apart than the limit permits.
 * Source: D-334; wire contract 5.12 and 11 (3).
 */
import { OtpSender, OwnershipChecks, OwnershipRegions, ScaProvider, SecurityCodes } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Harness, harness, type Reply } from "../../../packages/test/src/harness/Harness.ts"
import { between, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"
import { added, customersPath, evm, newCustomer, usd } from "../account/ExternalAccountRequests.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { newPerson } from "../customer/CustomerRequests.ts"
import { signIn, trustPath } from "../sca/TrustRequests.ts"
import { newKey, newWallet, sealedCode, textAt } from "../wallet/People.ts"

type Open = (options: WorldOptions) => Promise<WorldOptions>

interface Secret {
  readonly name: string
  /** How many wrong answers are distinguished from right ones. */
  readonly limit: number
  /** The statuses of a wrong answer, of a right one and of any answer beyond the limit. */
  readonly wrong: object
  readonly right: object
  readonly beyond: object
  /** How the answers after a right one are answered, if not apart from both: as a right or a wrong one, or still checked. */
  readonly afterRight?: "as right" | "as wrong" | "checked"
  readonly prepare: (options: WorldOptions) => Promise<{
    readonly pay: Harness
    readonly guess: (isRight: boolean) => Promise<Reply>
  }>
}

/** Right or wrong answers that have been checked wait here, as those of a slow provider do. */
interface Gate {
  /** Holds these answers from now on. Those of the preparation pass. */
  readonly close: () => void
  readonly arrived: Promise<void>
  readonly open: () => void
  readonly ports: Layer.Layer<never>
}

const gateOf = (holds: "right" | "wrong" = "right"): Gate => {
  const arrival = Promise.withResolvers<void>()
  const opening = Promise.withResolvers<void>()
  let isClosed = false
  const held = Effect.suspend(() => {
    if (!isClosed) return Effect.void
    arrival.resolve()
    return Effect.promise(() => opening.promise)
  })
  const holding = <A>(check: Effect.Effect<A>): Effect.Effect<A> =>
    Effect.tap(check, (isRight) => (isRight === (holds === "right") ? held : Effect.void))
  const codes = Layer.effect(
    SecurityCodes,
    Effect.map(SecurityCodes, (real) => ({
      ...real,
      check: (...asked: Parameters<typeof real.check>) => holding(real.check(...asked)),
    })),
  )
  const provider = Layer.effect(
    ScaProvider,
    Effect.map(ScaProvider, (real) => ({
      ...real,
      check: (...asked: Parameters<typeof real.check>) => holding(real.check(...asked)),
    })),
  )
  const sender = Layer.effect(
    OtpSender,
    Effect.map(OtpSender, (real) => ({ ...real, accepted: held })),
  )
  const ownership = Layer.effect(
    OwnershipChecks,
    Effect.map(OwnershipChecks, (real) => ({
      ...real,
      verifySignature: ({ signature }: { readonly signature: string }) =>
        holding(Effect.succeed(signature === "right")),
    })),
  )
  const regions = Layer.succeed(OwnershipRegions, ["EU"])
  return {
    close: () => {
      isClosed = true
    },
    arrived: arrival.promise,
    open: () => opening.resolve(),
    ports: Layer.mergeAll(codes, provider, sender, ownership, regions).pipe(Layer.provideMerge(Sandbox.layer)),
  }
}

const european = { region: "EU", email: "ada@example.com", phoneNumber: "+14155550123" }
const code = (isRight: boolean) => (isRight ? "123456" : "000000")
const locked = { status: 423, body: { code: "ACCOUNT_LOCKED" } }
const rejected = { status: 400, body: { code: "INVALID_INPUT" } }

const contactCode = (contact: "email" | "phone"): Secret => ({
  name: `the code that confirms the ${contact}`,
  limit: 10,
  wrong: rejected,
  right: { status: 200 },
  beyond: { status: 429, body: { code: "RATE_LIMITED" } },
  prepare: async (options) => {
    const pay = await harness(options)
    const id = await newPerson(pay, european)
    const path = `/customers/${id}/verify-${contact}/confirm`
    return { pay, guess: (isRight) => pay.send("POST", path, { body: { code: code(isRight) } }) }
  },
})

const oneTimeCode = (beside: "own" | "another"): Secret => ({
  name: `the one-time code of a credential, beside ${beside} key`,
  limit: 5,
  wrong: { status: 401, body: { reason: "Invalid OTP code" } },
  right: beside === "own" ? { status: 202 } : { status: 400 },
  beyond: { status: 401, body: { reason: "No pending OTP for this credential" } },
  prepare: async (options) => {
    const pay = await harness(options)
    const { emailId } = await newWallet(pay)
    const [key, other] = [await newKey(), await newKey()]
    const challenge = await pay.send("POST", `/auth/credentials/${emailId}/challenge`)
    const bundle = textAt(challenge, "otpEncryptionTargetBundle")
    const sealed = { true: await sealedCode(bundle, key), false: await sealedCode(bundle, key, "111111") }
    const clientPublicKey = (beside === "own" ? key : other).publicKey.uncompressed
    return {
      pay,
      guess: (isRight) =>
        pay.send("POST", `/auth/credentials/${emailId}/verify`, {
          body: { type: "EMAIL_OTP", clientPublicKey, encryptedOtpBundle: sealed[`${isRight}`] },
        }),
    }
  },
})

const login: Secret = {
  name: "the code of a strong sign-in",
  afterRight: "as wrong",
  limit: 5,
  wrong: rejected,
  right: { status: 200 },
  beyond: locked,
  prepare: async (options) => {
    const pay = await harness(options)
    const id = await newPerson(pay, european)
    const send = (path: string, body: object) => pay.send("POST", `/sca/login/${path}?customerId=${id}`, { body })
    await send("start", { factor: "SMS_OTP" })
    const request = { factor: "SMS_OTP", endUserIpAddress: "203.0.113.7" }
    return { pay, guess: (isRight) => send("complete", { ...request, code: code(isRight) }) }
  },
}

const authorization = (funds: "enough" | "too little"): Secret => ({
  name: `the code that authorizes a quote with ${funds} money`,
  limit: 5,
  wrong: rejected,
  right: funds === "enough" ? { status: 200 } : { status: 400, body: { details: { reason: "INSUFFICIENT_FUNDS" } } },
  beyond: locked,
  ...(funds === "too little" ? { afterRight: "checked" } : {}),
  prepare: async (options) => {
    const pay = await quoteHarness(options, european)
    await pay.fund("USD", 10_000)
    const accountId = await pay.accountId("USD")
    const quote = await pay.quote(between(accountId, await pay.external("MXN"), 10_000))
    await pay.execute(textAt(quote, "id"))
    if (funds === "too little") {
      const destination = { accountId: await pay.external("USD") }
      const spent = await pay.send("POST", "/transfer-out", {
        body: { source: { accountId }, destination, amount: 9000 },
      })
      expect(spent.status).toBe(201)
    }
    const path = `/quotes/${textAt(quote, "id")}/authorize`
    return { pay, guess: (isRight) => pay.send("POST", path, { body: { code: code(isRight) } }) }
  },
})

const trust: Secret = {
  name: "the code that confirms the trust in an account",
  limit: 5,
  wrong: { status: 400, body: { details: { reason: "WRONG_CODE" } } },
  right: { status: 200, body: { trusted: true } },
  beyond: locked,
  afterRight: "as right",
  prepare: async (options) => {
    const pay = await harness(options)
    const customerId = await newPerson(pay, european)
    await signIn(pay, customerId)
    const path = trustPath(await added(pay, { ...usd(), customerId }))
    const challengeId = textAt(await pay.send("POST", path), "scaChallenge", "id")
    return {
      pay,
      guess: (isRight) => pay.send("POST", `${path}/confirm`, { body: { challengeId, code: code(isRight) } }),
    }
  },
}

const ownership: Secret = {
  name: "the signature that proves a wallet",
  limit: 1,
  wrong: { status: 400, body: { details: { reason: "SIGNATURE_INVALID" } } },
  right: { status: 200 },
  beyond: { status: 409, body: { details: { reason: "NO_CHALLENGE_OPEN" } } },
  prepare: async (options) => {
    const pay = await harness(options)
    const customerId = await newCustomer(pay, { region: "EU" })
    const id = await added(pay, { ...evm(`0x${"a1".repeat(20)}`, { ownershipType: "FIRST_PARTY" }), customerId })
    const path = `${customersPath}/${id}`
    await pay.send("POST", `${path}/challenge`, { body: { method: "WALLET_SIGNATURE" } })
    return {
      pay,
      guess: (isRight) => pay.send("POST", `${path}/verify`, { body: { signature: isRight ? "right" : "wrong" } }),
    }
  },
}

const secrets = [
  contactCode("email"),
  contactCode("phone"),
  oneTimeCode("own"),
  oneTimeCode("another"),
  login,
  authorization("enough"),
  authorization("too little"),
  trust,
  ownership,
]

const has = (expected: object) => (reply: Reply) => {
  try {
    expect(reply).toMatchObject(expected)
    return true
  } catch {
    return false
  }
}

const proveLimits = (open: Open) => {
  it.each(secrets)("refuses a right answer that was checked before $name was closed", async (secret) => {
    const { beyond, limit, prepare, wrong } = secret
    const gate = gateOf()
    const { guess, pay } = await prepare(await open({ scaRegions: ["EU"], ports: gate.ports }))
    await using _ = pay
    gate.close()
    const right = guess(true)
    await gate.arrived
    const replies = await Promise.all(Array.from({ length: 3 * limit }, () => guess(false)))
    gate.open()
    expect(replies.filter(has(wrong))).toHaveLength(limit)
    expect(replies.filter(has(beyond))).toHaveLength(2 * limit)
    expect(await right).toMatchObject(beyond)
  })

  it.each(secrets)("accepts a right answer that was checked while $name was still open", async (secret) => {
    const { limit, prepare, right, wrong } = secret
    const gate = gateOf()
    const { guess, pay } = await prepare(await open({ scaRegions: ["EU"], ports: gate.ports }))
    await using _ = pay
    gate.close()
    const sent = guess(true)
    await gate.arrived
    const replies = await Promise.all(Array.from({ length: limit - 1 }, () => guess(false)))
    gate.open()
    expect(replies.filter(has(wrong))).toHaveLength(limit - 1)
    expect(await sent).toMatchObject(right)
  })

  // Wrong one-time codes are not held, because a right one alone waits for its sender.
  const closing = secrets.filter(({ afterRight, name }) => afterRight === undefined && !name.includes("one-time"))
  it.each([...closing, trust])(
    "distinguishes no wrong answer to $name that was checked before a right one was accepted",
    async ({ limit, prepare, right, wrong }) => {
      const gate = gateOf("wrong")
      const { guess, pay } = await prepare(await open({ scaRegions: ["EU"], ports: gate.ports }))
      await using _ = pay
      gate.close()
      const sent = Array.from({ length: limit }, () => guess(false))
      await gate.arrived
      expect(await guess(true)).toMatchObject(right)
      gate.open()
      const replies = await Promise.all(sent)
      expect(replies.filter(has(wrong))).toEqual([])
    },
  )

  describe.each([3, 60])("of 61 answers at once, the right one at %d", (place) => {
    it.each(secrets)("distinguishes at most the limit of those that guess $name", async (secret) => {
      const { afterRight, limit, prepare, right, wrong } = secret
      const { guess, pay } = await prepare(await open({ scaRegions: ["EU"], ports: gateOf().ports }))
      await using _ = pay
      const replies = await Promise.all(Array.from({ length: 61 }, (_, index) => guess(index === place)))
      const rightReplies = replies.filter(has(right)).length
      const wrongReplies = replies.filter((reply) => has(wrong)(reply) && !has(right)(reply)).length
      const isFound = rightReplies > 0
      if (!isFound || afterRight === "checked") expect(wrongReplies).toBe(limit)
      else if (afterRight !== "as wrong") expect(wrongReplies).toBeLessThan(limit)
      if (afterRight !== "as right") expect(rightReplies).toBeLessThanOrEqual(1)
    })
  })
}

describe("in memory", () => {
  proveLimits(async (options) => ({ ...options, interleave: 3 }))
})

describe("on PostgreSQL", { timeout: 120_000 }, () => {
  let database: TestDatabase.TestDatabase
  beforeAll(async () => {
    database = await TestDatabase.create(8)
  }, 60_000)
  afterAll(() => database.close())
  proveLimits(async (options) => ({ ...options, store: TestDatabase.emptyWorld(Promise.resolve(database)) }))
})
