/**
 * The bank directory over HTTP: which banks it lists, and which bank names an account accepts.
 * Spec: Discovery entry, 4.3; wire contract 2.8.
 */
import { BankDirectory, directoryOf } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Layer } from "effect"
import { describe, expect, it } from "vitest"
import { banks } from "../../../packages/core/src/model/account/BankTable.ts"
import { exampleBody } from "../../../packages/test/src/harness/AccountExample.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/index.ts"
import { added, at, customersPath, php } from "./ExternalAccountRequests.ts"

const banksAt = async (pay: Harness, query: string) => {
  const { body, status } = await pay.send("GET", `/discoveries${query}`)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return at(body, "data") as ReadonlyArray<unknown>
}

describe("the bank directory", () => {
  // Proves: RES-DISC-02, RES-DISC-03, RES-DISC-04
  // Proves: EP-EXT-10, EP-EXT-11
  it("lists all banks, or those of one country or currency", async () => {
    await using pay = await harness()
    const found = (query: string) => banksAt(pay, query)
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

  it("lists each bank name once per country", () => {
    const names = banks.map(({ bankName, country }) => `${country} ${bankName}`)
    expect(new Set(names).size).toBe(names.length)
    for (const { bankName, displayName } of banks)
      for (const name of [bankName, displayName]) expect(name).toMatch(/\w{3}/u)
    expect(new Set(banks.map(({ country }) => country))).toEqual(new Set(["PH", "NG", "ZA"]))
  })

  // Proves: RES-DISC-01
  // Proves: EP-EXT-13
  it("accepts a bank name only in its exact spelling", async () => {
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
    "lists the bank names of %s and rejects all others",
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

  it("lists the banks that a deployment adds", async () => {
    const addedBank = { bankName: "Bank of Our Own", displayName: "Ours", country: "PH", currency: "PHP" } as const
    const directory = Layer.succeed(BankDirectory, directoryOf([...banks, addedBank]))
    await using pay = await harness({ ports: Layer.merge(Sandbox.layer, directory) })
    await added(pay, php("Bank of Our Own"))
    await added(pay, php("BPI"))
    expect(await banksAt(pay, "?country=PH")).toContainEqual(addedBank)
  })
})
