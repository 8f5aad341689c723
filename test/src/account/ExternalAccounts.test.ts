/**
 * External accounts over HTTP: added by customers and by the platform, listed, read, deleted, and moved in the sandbox.
 * Spec: ExternalAccount, 4.3; wire contract 2.1, 2.2, 2.7, 2.8 and 7.2; D-050 to D-054.
 */
import { BankDirectory, directoryOf, Verifier } from "@countersign/core"
import { banks, ExternalAccountMachine } from "@countersign/core/models"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { exampleBody } from "../../../packages/test/src/harness/AccountExample.ts"
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

const setStatus = (pay: Harness, id: string, status: string) =>
  pay.send("POST", `/sandbox/external-accounts/${id}/status`, { body: { status } })

describe("adding an account", () => {
  // Proves: RES-EXT-02, RES-EXT-04, RES-EXT-05, RES-EXT-08
  // Proves: EP-EXT-01, EP-EXT-02, EP-EXT-03, EP-EXT-05
  it("answers it as it reads back", async () => {
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
  it("of the platform shows no customer, whichever way it is added", async () => {
    await using pay = await harness()
    const first = await added(pay, usd("1111000"))
    // Of one millisecond the identifiers decide, which begin anywhere.
    await pay.clock.advance("1 second")
    const second = await added(pay, { ...usd("2222000"), customerId: await newCustomer(pay) }, platformPath)
    expect(await ids(pay, platformPath)).toEqual([second, first])
    expect(await ids(pay, customersPath)).toEqual([])
    for (const id of [first, second]) {
      expect((await pay.send("GET", `${platformPath}/${id}`)).body).not.toHaveProperty("customerId")
      expect((await pay.send("GET", `${customersPath}/${id}`)).status).toBe(404)
    }
  })

  it("twice is a conflict for one owner, and none for two", async () => {
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

  it("is told every broken rule at once, and then nobody is asked", async () => {
    const asked: Array<unknown> = []
    const verifier = Layer.effect(
      Verifier,
      Effect.map(Verifier, (inner) => ({
        ...inner,
        verifyBeneficiary: (check: Parameters<(typeof inner)["verifyBeneficiary"]>[0]) => {
          asked.push(check)
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
    expect(asked).toEqual([])
    await added(pay, usd())
    expect(asked).toHaveLength(1)
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
  ])("that ends in %s is ACTIVE, its name %s", async (suffix, beneficiaryVerificationStatus) => {
    await using pay = await harness()
    expect(await pay.send("POST", customersPath, { body: usd(`1234${suffix}`) })).toMatchObject({
      status: 201,
      body: { status: "ACTIVE", beneficiaryVerificationStatus },
    })
  })

  // Proves: ERR-INVALID_BANK_ACCOUNT, ERR-RULE-05
  // Proves: SBX-NAME-105, SBX-ID-01, SBX-ID-04
  it("that ends in 105 does not exist, and is not recorded", async () => {
    await using pay = await harness()
    for (const body of [usd("1234105"), evm(`0x${"0".repeat(37)}105`)]) {
      expect(await pay.send("POST", customersPath, { body })).toMatchObject({
        status: 400,
        body: { code: "INVALID_BANK_ACCOUNT" },
      })
    }
    expect(await list(pay, platformPath)).toEqual([])
  })

  it("a wallet is usable at once and shows no name check, whatever its address ends in", async () => {
    await using pay = await harness()
    const reply = await pay.send("POST", customersPath, { body: evm(`0x${"0".repeat(37)}102`) })
    expect(reply).toMatchObject({ status: 201, body: { status: "ACTIVE" } })
    expect(reply.body).not.toHaveProperty("beneficiaryVerificationStatus")
    expect(at(reply.body, "accountInfo")).not.toHaveProperty("paymentRails")
  })
})

// Proves: STATE-OTHER-06
it("a Spark wallet is ACTIVE in the answer that adds it, and needs no beneficiary", async () => {
  await using pay = await harness()
  const accountInfo = { accountType: "SPARK_WALLET", address: `spark1${"q".repeat(81)}` }
  const body = { currency: "BTC", accountInfo, customerId: await newCustomer(pay) }
  const created = await pay.send("POST", customersPath, { body })
  expect(created).toMatchObject({ status: 201, body: { status: "ACTIVE", accountInfo } })
  await pay.settle()
  expect(pay.inbox.ofType("EXTERNAL_ACCOUNT.STATUS_UPDATED")).toEqual([])
})

describe("lists", () => {
  // Proves: EP-EXT-07, EP-EXT-08
  it("are filtered by customer and currency, and paged", async () => {
    await using pay = await harness()
    const [ann, bob] = [await newCustomer(pay), await newCustomer(pay)]
    const addedLater = async (body: object) => {
      // Of one moment the identifiers tell the order, and they are drawn by chance.
      await pay.clock.advance("1 second")
      return added(pay, body)
    }
    const own = [
      await addedLater({ ...usd("1000000"), customerId: ann }),
      await addedLater({ ...usd("2000000"), customerId: ann }),
      await addedLater({ ...evm(), customerId: ann }),
    ].toReversed()
    const other = await addedLater({ ...usd("1000000"), customerId: bob })
    expect(await ids(pay, customersPath)).toEqual([other, ...own])
    expect(await ids(pay, `${customersPath}?customerId=${ann}`)).toEqual(own)
    expect(await ids(pay, `${customersPath}?customerId=${ann}&currency=USDC`)).toEqual(own.slice(0, 1))
    const first = await pay.send("GET", `${customersPath}?customerId=${ann}&limit=2`)
    expect(first.body).toMatchObject({ hasMore: true, totalCount: 3 })
    const cursor = encodeURIComponent(textAt(first, "nextCursor"))
    expect(await ids(pay, `${customersPath}?customerId=${ann}&limit=2&cursor=${cursor}`)).toEqual(own.slice(2))
    expect(await pay.send("GET", `${customersPath}?customerId=${bob}&cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { details: { errors: [{ field: "cursor" }] } },
    })
    expect((await pay.send("GET", `${customersPath}?currency=usd`)).status).toBe(400)
    expect((await pay.send("GET", `${platformPath}?limit=0`)).status).toBe(400)
  })
})

describe("the account for UMA deposits", () => {
  it("is one per customer: a new one takes the place of the old", async () => {
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

  it.each([1, 2, 3, 4, 5, 6, 7, 8])("is one, however many are added at once (%i)", async (interleave) => {
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

describe("discovery", () => {
  // Proves: RES-DISC-02, RES-DISC-03, RES-DISC-04
  // Proves: EP-EXT-10, EP-EXT-11
  it("tells all banks, or those of a country or a currency", async () => {
    await using pay = await harness()
    const found = async (query: string) => list(pay, `/discoveries${query}`)
    expect(await found("")).toEqual(banks)
    expect(await found("?country=PH&currency=PHP")).toContainEqual({
      bankName: "BPI",
      displayName: "Bank of the Philippine Islands",
      country: "PH",
      currency: "PHP",
    })
    expect((await found("?country=NG")).length + (await found("?country=ZA")).length).toBe(
      banks.length - (await found("?currency=PHP")).length,
    )
    for (const query of ["?country=XX", "?currency=ABC", "?country=PH&currency=NGN"])
      expect(await found(query)).toEqual([])
    for (const query of ["?country=ph", "?currency=php"]) {
      expect((await pay.send("GET", `/discoveries${query}`)).status).toBe(400)
    }
  })

  it("has each name once in its country", () => {
    const names = banks.map(({ bankName, country }) => `${country} ${bankName}`)
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(banks.map(({ country }) => country))).toEqual(new Set(["PH", "NG", "ZA"]))
  })

  // Proves: RES-DISC-01
  // Proves: EP-EXT-13
  it("names the banks that an account may have, letter by letter", async () => {
    await using pay = await harness()
    for (const name of ["bpi", "BPI ", "Bank of the Philippine Islands", "Access Bank"]) {
      expect(await pay.send("POST", customersPath, { body: php(name) })).toMatchObject({
        status: 400,
        body: { code: "INVALID_INPUT", details: { errors: [{ field: "accountInfo.bankName" }] } },
      })
    }
    await added(pay, php("BPI"))
  })

  // Proves: EP-EXT-13, EP-EXT-14, EP-EXT-15
  it.each(["PHP_ACCOUNT", "NGN_ACCOUNT", "ZAR_ACCOUNT"])(
    "names the banks of %s, and no other is taken",
    async (type) => {
      await using pay = await harness()
      const { accountInfo, currency } = exampleBody(type)
      const names = (await pay.send("GET", `/discoveries?currency=${currency}`)).body
      const bankName = String(at(names, "data", 0, "bankName"))
      const send = (name: string) =>
        pay.send("POST", customersPath, { body: { currency, accountInfo: { ...accountInfo, bankName: name } } })
      for (const wrong of [bankName.toLowerCase(), `${bankName} `, `${bankName} Limited`, "Deutsche Bank"]) {
        expect(await send(wrong)).toMatchObject({
          status: 400,
          body: { code: "INVALID_INPUT", details: { errors: [{ field: "accountInfo.bankName" }] } },
        })
      }
      expect(await send(bankName)).toMatchObject({ status: 201, body: { accountInfo: { bankName } } })
    },
  )

  it("is the embedder's to extend", async () => {
    const own = { bankName: "Bank of Our Own", displayName: "Ours", country: "PH", currency: "PHP" } as const
    const directory = Layer.succeed(BankDirectory, directoryOf([...banks, own]))
    await using pay = await harness({ ports: Layer.merge(Sandbox.layer, directory) })
    await added(pay, php("Bank of Our Own"))
    await added(pay, php("BPI"))
    expect(await list(pay, "/discoveries?country=PH")).toContainEqual(own)
  })
})

describe("the sandbox's change of status", () => {
  it("follows exactly the arrows of the machine, and tells of each", async () => {
    await using pay = await harness()
    const to = async (id: string, states: ReadonlyArray<string>) => {
      for (const status of states) await setStatus(pay, id, status)
      return id
    }
    const from = [
      ["ACTIVE", []],
      ["UNDER_REVIEW", ["UNDER_REVIEW"]],
      ["INACTIVE", ["INACTIVE"]],
    ] as const
    let number = 1000
    for (const [state, way] of from) {
      for (const target of ExternalAccountMachine.states) {
        number += 1
        const id = await to(await added(pay, usd(`${number}000`)), way)
        const reply = await setStatus(pay, id, target)
        const isArrow = ExternalAccountMachine.arrows.some(([start, , end]) => start === state && end === target)
        expect([state, target, reply.status]).toEqual([state, target, isArrow ? 200 : 409])
        if (!isArrow)
          expect(reply.body).toMatchObject({ code: "INVALID_STATE_TRANSITION", details: { from: state, to: target } })
        expect((await pay.send("GET", `${platformPath}/${id}`)).body).toMatchObject({
          status: isArrow ? target : state,
        })
      }
    }
  })

  // Proves: EVT-08
  it("sends the whole account as it is then", async () => {
    await using pay = await harness()
    const id = await added(pay, { ...usd(), customerId: await newCustomer(pay) })
    const reply = await setStatus(pay, id, "UNDER_REVIEW")
    await setStatus(pay, id, "ACTIVE")
    await pay.settle()
    const told = pay.inbox.ofType("EXTERNAL_ACCOUNT.STATUS_UPDATED")
    expect(told.map(({ data }) => data["status"])).toEqual(["UNDER_REVIEW", "ACTIVE"])
    expect(told[0]?.data).toEqual(reply.body)
  })

  it("knows no other state and no other account", async () => {
    await using pay = await harness()
    const id = await added(pay, usd())
    expect((await setStatus(pay, id, "CLOSED")).status).toBe(400)
    expect((await setStatus(pay, "ExternalAccount:00000000-0000-7000-8000-000000000009", "INACTIVE")).status).toBe(404)
  })
})
