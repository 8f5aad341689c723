/**
 * External accounts over HTTP: creation for customers and for the platform, reads, lists and the account for UMA deposits.
 * Spec: ExternalAccount, 4.3; wire contract 2.1, 2.2, 2.7 and 7.2; D-050 to D-054.
 */
import { Verifier } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/index.ts"
import {
  added,
  at,
  customersPath,
  evm,
  newCustomer,
  php,
  platformPath,
  textAt,
  usd,
} from "./ExternalAccountRequests.ts"

const list = async (pay: Harness, path: string) => {
  const { body, status } = await pay.send("GET", path)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return at(body, "data") as ReadonlyArray<{ readonly id: string; readonly customerId?: string }>
}
const ids = async (pay: Harness, path: string) => (await list(pay, path)).map(({ id }) => id)

describe("creating an external account", () => {
  // Proves: RES-EXT-02, RES-EXT-04, RES-EXT-05, RES-EXT-08
  // Proves: EP-EXT-01, EP-EXT-02, EP-EXT-03, EP-EXT-05
  it("returns the account as a later read shows it", async () => {
    await using pay = await harness()
    const customerId = await newCustomer(pay)
    const body = { ...usd(), customerId, platformAccountId: "mine-1", ownershipType: "FIRST_PARTY" }
    const created = await pay.send("POST", customersPath, { body })
    expect(created).toMatchObject({
      status: 201,
      body: {
        ...body,
        status: "ACTIVE",
        defaultUmaDepositAccount: false,
        beneficiaryVerificationStatus: "MATCHED",
        accountInfo: { ...body.accountInfo, paymentRails: ["ACH", "WIRE", "RTP", "FEDNOW"] },
      },
    })
    expect(await pay.send("GET", `${customersPath}/${textAt(created, "id")}`)).toMatchObject({
      status: 200,
      body: created.body,
    })
  })

  // Proves: RES-EXT-09
  // Proves: EP-EXT-06, EP-EXT-09
  it("shows no customer on an account of the platform, whichever endpoint created it", async () => {
    await using pay = await harness()
    const first = await added(pay, usd("1111000"))
    // Records of the same millisecond are ordered by random identifier.
    await pay.clock.advance("1 second")
    const second = await added(pay, { ...usd("2222000"), customerId: await newCustomer(pay) }, platformPath)
    expect(await ids(pay, platformPath)).toEqual([second, first])
    expect(await ids(pay, customersPath)).toEqual([])
    for (const id of [first, second]) {
      expect((await pay.send("GET", `${platformPath}/${id}`)).body).not.toHaveProperty("customerId")
      expect((await pay.send("GET", `${customersPath}/${id}`)).status).toBe(404)
    }
  })

  it("rejects a duplicate account of the same owner and accepts it for another owner", async () => {
    await using pay = await harness()
    const [ann, bob] = [await newCustomer(pay), await newCustomer(pay)]
    await added(pay, { ...usd(), customerId: ann })
    const again = { ...usd(), customerId: ann, platformAccountId: "another name" }
    expect(await pay.send("POST", customersPath, { body: again })).toMatchObject({
      status: 409,
      body: { code: "CONFLICT" },
    })
    await added(pay, { ...usd(), customerId: bob })
    await added(pay, usd(), platformPath)
    expect((await pay.send("POST", platformPath, { body: usd() })).status).toBe(409)
  })

  it("lists every broken rule and then does not ask the verifier", async () => {
    const checks: Array<unknown> = []
    const verifier = Layer.effect(
      Verifier,
      Effect.map(Verifier, (inner) => ({
        ...inner,
        verifyBeneficiary: (check: Parameters<(typeof inner)["verifyBeneficiary"]>[0]) => {
          checks.push(check)
          return inner.verifyBeneficiary(check)
        },
      })),
    )
    await using pay = await harness({ ports: Layer.provideMerge(verifier, Sandbox.layer) })
    const stranger = "Customer:00000000-0000-7000-8000-000000000009"
    expect(
      await pay.send("POST", customersPath, { body: { ...php("bdo unibank"), customerId: stranger } }),
    ).toMatchObject({
      status: 400,
      body: {
        code: "INVALID_INPUT",
        details: { errors: [{ field: "customerId" }, { field: "accountInfo.bankName" }] },
      },
    })
    expect(
      await pay.send("POST", customersPath, { body: usd("1234", { defaultUmaDepositAccount: true }) }),
    ).toMatchObject({
      status: 400,
      body: { details: { errors: [{ field: "defaultUmaDepositAccount" }] } },
    })
    expect(checks).toEqual([])
    await added(pay, usd())
    expect(checks).toHaveLength(1)
    const sent = php("BDO Unibank")
    await added(pay, sent)
    expect(checks.slice(1)).toEqual([
      { currency: "PHP", accountInfo: expect.objectContaining({ ...sent.accountInfo }) },
    ])
  })

  it("asks the verifier once, however often the commit is decided again", async () => {
    let checks = 0
    const inner = Layer.effect(
      Verifier,
      Effect.map(Verifier, (verifier) => ({
        ...verifier,
        verifyBeneficiary: (check: Parameters<(typeof verifier)["verifyBeneficiary"]>[0]) => {
          checks += 1
          return verifier.verifyBeneficiary(check)
        },
      })),
    )
    await using pay = await harness({ interleave: 3, ports: Layer.provideMerge(inner, Sandbox.layer) })
    const customerId = await newCustomer(pay)
    // Each is the default account of the same customer: the commits conflict.
    const numbers = ["1111", "2222", "3333", "4444"]
    const replies = await Promise.all(
      numbers.map((number) =>
        pay.send("POST", customersPath, {
          body: { ...usd(number, { defaultUmaDepositAccount: true }), customerId },
        }),
      ),
    )
    expect(replies.map(({ status }) => status)).toContain(201)
    expect(checks).toBe(replies.length)
  })

  // Proves: RES-EXT-12
  // Proves: SBX-NAME-102, SBX-NAME-103, SBX-NAME-104, SBX-NAME-106, SBX-NAME-107, SBX-NAME-OTHER, SBX-ID-01, STATE-OTHER-07
  it.each([
    ["102", "NOT_MATCHED"],
    ["103", "PARTIAL_MATCH"],
    ["104", "PENDING"],
    ["106", "UNSUPPORTED"],
    ["107", "CHECKED_BY_RECEIVING_FI"],
    ["108", "MATCHED"],
  ])(
    "makes an account whose number ends in %s ACTIVE with name check %s",
    async (suffix, beneficiaryVerificationStatus) => {
      await using pay = await harness()
      expect(await pay.send("POST", customersPath, { body: usd(`1234${suffix}`) })).toMatchObject({
        status: 201,
        body: { status: "ACTIVE", beneficiaryVerificationStatus },
      })
    },
  )

  // Proves: ERR-INVALID_BANK_ACCOUNT, ERR-RULE-05
  // Proves: SBX-NAME-105, SBX-ID-01, SBX-ID-04
  it("rejects an account whose number ends in 105 and stores nothing", async () => {
    await using pay = await harness()
    for (const body of [usd("1234105"), evm(`0x${"0".repeat(37)}105`)]) {
      expect(await pay.send("POST", customersPath, { body })).toMatchObject({
        status: 400,
        body: { code: "INVALID_BANK_ACCOUNT" },
      })
    }
    expect(await list(pay, platformPath)).toEqual([])
  })

  it("makes a wallet ACTIVE without a name check, whatever its address ends in", async () => {
    await using pay = await harness()
    const reply = await pay.send("POST", customersPath, { body: evm(`0x${"0".repeat(37)}102`) })
    expect(reply).toMatchObject({ status: 201, body: { status: "ACTIVE" } })
    expect(reply.body).not.toHaveProperty("beneficiaryVerificationStatus")
    expect(at(reply.body, "accountInfo")).not.toHaveProperty("paymentRails")
  })
})

// Proves: STATE-OTHER-06
it("creates a Spark wallet as ACTIVE without a beneficiary", async () => {
  await using pay = await harness()
  const accountInfo = { accountType: "SPARK_WALLET", address: `spark1${"q".repeat(81)}` }
  const body = { currency: "BTC", accountInfo, customerId: await newCustomer(pay) }
  const created = await pay.send("POST", customersPath, { body })
  expect(created).toMatchObject({ status: 201, body: { status: "ACTIVE", accountInfo } })
  await pay.settle()
  expect(pay.inbox.ofType("EXTERNAL_ACCOUNT.STATUS_UPDATED")).toEqual([])
})

describe("the list of external accounts", () => {
  // Proves: EP-EXT-07, EP-EXT-08
  it("filters by customer and currency, and pages", async () => {
    await using pay = await harness()
    const [ann, bob] = [await newCustomer(pay), await newCustomer(pay)]
    const addedLater = async (body: object) => {
      // Records of the same millisecond are ordered by random identifier.
      await pay.clock.advance("1 second")
      return added(pay, body)
    }
    const ofAnn = [
      await addedLater({ ...usd("1000000"), customerId: ann }),
      await addedLater({ ...usd("2000000"), customerId: ann }),
      await addedLater({ ...evm(), customerId: ann }),
    ].toReversed()
    const other = await addedLater({ ...usd("1000000"), customerId: bob })
    expect(await ids(pay, customersPath)).toEqual([other, ...ofAnn])
    expect(await ids(pay, `${customersPath}?customerId=${ann}`)).toEqual(ofAnn)
    expect(await ids(pay, `${customersPath}?customerId=${ann}&currency=USDC`)).toEqual(ofAnn.slice(0, 1))
    const first = await pay.send("GET", `${customersPath}?customerId=${ann}&limit=2`)
    expect(first.body).toMatchObject({ hasMore: true, totalCount: 3 })
    const cursor = encodeURIComponent(textAt(first, "nextCursor"))
    expect(await ids(pay, `${customersPath}?customerId=${ann}&limit=2&cursor=${cursor}`)).toEqual(ofAnn.slice(2))
    expect(await pay.send("GET", `${customersPath}?customerId=${bob}&cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { details: { errors: [{ field: "cursor" }] } },
    })
    expect((await pay.send("GET", `${customersPath}?currency=usd`)).status).toBe(400)
    expect((await pay.send("GET", `${platformPath}?limit=0`)).status).toBe(400)
  })
})

describe("the account for UMA deposits", () => {
  it("is one per customer: a new one replaces the previous one", async () => {
    await using pay = await harness()
    const [ann, bob] = [await newCustomer(pay), await newCustomer(pay)]
    const deposit = (customerId: string, number: string) =>
      added(pay, { ...usd(number), customerId, defaultUmaDepositAccount: true })
    const isDeposit = async (id: string) =>
      at((await pay.send("GET", `${customersPath}/${id}`)).body, "defaultUmaDepositAccount")
    const first = await deposit(ann, "1000000")
    const ofBob = await deposit(bob, "1000000")
    const second = await deposit(ann, "2000000")
    expect([await isDeposit(first), await isDeposit(second), await isDeposit(ofBob)]).toEqual([false, true, true])
    await pay.send("DELETE", `${customersPath}/${second}`)
    const third = await deposit(ann, "3000000")
    expect([await isDeposit(first), await isDeposit(third)]).toEqual([false, true])
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])("is one after concurrent creations (interleaving %i)", async (interleave) => {
    await using pay = await harness({ interleave })
    const customerId = await newCustomer(pay)
    const numbers = Array.from({ length: 6 }, (_, n) => `${n}000000`)
    const created = await Promise.all(
      numbers.map((number) => added(pay, { ...usd(number), customerId, defaultUmaDepositAccount: true })),
    )
    const all = await list(pay, customersPath)
    expect(all).toHaveLength(created.length)
    expect(all.filter((account) => at(account, "defaultUmaDepositAccount") === true)).toHaveLength(1)
  })
})
