/**
 * Funding instructions of internal accounts over HTTP: which variants, stable numbers, where they are shown, and their events.
 * Source: wire contract areas 2.7 and 2.12; D-397.
 */
import { CollectionAccounts } from "@countersign/core"
import { Currencies, type CurrencyCode, isPaymentInstructions } from "@countersign/core/models"
import { FundingInstructions } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at, businessInfo, idOf, newPerson } from "../customer/CustomerRequests.ts"

interface Instruction {
  readonly instructionsNotes: string
  readonly isPlatformAccount: boolean
  readonly accountOrWalletInfo: Readonly<Record<string, unknown>>
}
interface Account {
  readonly id: string
  readonly status: string
  readonly type: string
  readonly balance: { readonly currency: { readonly code: CurrencyCode } }
  readonly fundingPaymentInstructions: ReadonlyArray<Instruction>
}

const list = async (pay: Harness, path: string) => at(await pay.send("GET", path), "data") as ReadonlyArray<Account>
const typesOf = ({ fundingPaymentInstructions: set }: Account) =>
  set.map(({ accountOrWalletInfo }) => accountOrWalletInfo["accountType"])

/** The variants of a currency, where they are not its own account alone. */
const listed: { readonly [Code in CurrencyCode]?: ReadonlyArray<string> } = {
  BTC: ["SPARK_WALLET", "LIGHTNING", "BITCOIN_L1"],
  USDB: ["SPARK_WALLET"],
  USDC: ["SOLANA_WALLET", "ETHEREUM_WALLET", "BASE_WALLET", "POLYGON_WALLET"],
  USDT: ["TRON_WALLET", "ETHEREUM_WALLET", "SOLANA_WALLET", "PLASMA_WALLET"],
  JPY: ["SWIFT_ACCOUNT"],
}

const withAllCurrencies = (pay: Harness) =>
  pay.send("PATCH", "/config", {
    body: {
      supportedCurrencies: Currencies.keys.map((currencyCode) => ({
        currencyCode,
        minAmount: 1,
        maxAmount: 1000,
        requiredCounterpartyFields: [],
        enabledTransactionTypes: ["INCOMING"],
      })),
    },
  })

/** The values of an instruction that identify its account: nobody else has them. */
const identifying = [
  "accountNumber",
  "iban",
  "clabeNumber",
  "address",
  "invoice",
  "qrCode",
  "paymentUrl",
  "phoneNumber",
]
const identifiersOf = (account: Account) =>
  account.fundingPaymentInstructions.flatMap(({ accountOrWalletInfo: info }) =>
    identifying.flatMap((name) => (info[name] === undefined ? [] : [String(info[name])])),
  )

describe("the funding instructions of internal accounts", () => {
  it("are the listed variants of each currency, valid, stable and unlike those of any other account", async () => {
    await using pay = await harness()
    await withAllCurrencies(pay)
    const ids = [await newPerson(pay), await newPerson(pay)]
    const read = async () => [
      ...(await list(pay, "/platform/internal-accounts")),
      ...(await list(pay, `/customers/internal-accounts?customerId=${ids[0]}&limit=100`)),
      ...(await list(pay, `/internal-accounts?customerId=${ids[1]}&limit=100`)),
    ]
    const accounts = await read()
    expect(accounts.length).toBe(3 * Currencies.keys.length + 2)
    for (const account of accounts) {
      const { code } = account.balance.currency
      expect([code, typesOf(account)]).toEqual([code, listed[code] ?? [`${code}_ACCOUNT`]])
      expect(account.fundingPaymentInstructions.filter((one) => !isPaymentInstructions(one))).toEqual([])
      const references = account.fundingPaymentInstructions.flatMap(
        ({ accountOrWalletInfo: { reference } }) => reference ?? [],
      )
      for (const reference of references) expect(reference).toMatch(/^FUND-[A-Z0-9]{8}$/u)
      const flags = account.fundingPaymentInstructions.map(({ isPlatformAccount }) => isPlatformAccount)
      expect(new Set(flags)).toEqual(new Set([!("customerId" in account)]))
    }
    const identifiers = accounts.flatMap(identifiersOf)
    expect(new Set(identifiers).size).toBe(identifiers.length)
    expect(await read()).toEqual(accounts)
  })

  it("show the account's holder, all rails and the note to quote the reference for US dollars", async () => {
    await using pay = await harness()
    const id = await newPerson(pay, { fullName: "Ada Lovelace" })
    const [usd] = await list(pay, `/customers/internal-accounts?customerId=${id}&currency=USD`)
    const [instruction] = usd?.fundingPaymentInstructions ?? []
    const reference = String(instruction?.accountOrWalletInfo["reference"])
    expect(instruction).toEqual({
      instructionsNotes: `Send USD to this account and quote the reference ${reference}.`,
      isPlatformAccount: false,
      accountOrWalletInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: expect.stringMatching(/^[1-9][0-9]{11}$/u),
        routingNumber: expect.stringMatching(/^[0-9]{9}$/u),
        accountHolderName: "Countersign Sandbox FBO Ada Lovelace",
        bankName: "Example Bank",
        bankAddress: "1 Sandbox Street, Springfield, US",
        paymentRails: ["ACH", "WIRE", "RTP", "FEDNOW"],
        reference,
      },
    })
  })

  it("are the same in lists, reads, the answer to a funding and events", async () => {
    await using pay = await harness()
    const id = await newPerson(pay)
    const [usd] = await list(pay, `/customers/internal-accounts?customerId=${id}&currency=USD`)
    const expected = usd?.fundingPaymentInstructions
    const path = `/sandbox/internal-accounts/${usd?.id}/fund`
    expect(at(await pay.send("POST", path, { body: { amount: 5 } }), "fundingPaymentInstructions")).toEqual(expected)
    expect(at(await pay.send("GET", `/internal-accounts/${usd?.id}`), "fundingPaymentInstructions")).toEqual(expected)
    await pay.settle()
    const [event] = pay.inbox.ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED")
    expect(event?.data).toMatchObject({ id: usd?.id, balance: { amount: 5 }, fundingPaymentInstructions: expected })
  })

  it("are withdrawn when the account closes, with an event beside that of the status", async () => {
    await using pay = await harness()
    const id = await newPerson(pay)
    await pay.settle()
    await pay.send("DELETE", `/customers/${id}`)
    await pay.settle()
    const status = pay.inbox.ofType("INTERNAL_ACCOUNT.STATUS_UPDATED")
    const changed = pay.inbox.ofType("INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED")
    expect(changed.length).toBe(status.length)
    for (const { data } of [...status, ...changed]) {
      expect(data).toMatchObject({ status: "CLOSED", fundingPaymentInstructions: [] })
    }
    for (const account of await list(pay, `/internal-accounts?customerId=${id}&limit=100`)) {
      expect(account).toMatchObject({ status: "CLOSED", fundingPaymentInstructions: [] })
    }
  })

  it("get an international account after 30 seconds by the suffix 301, with one event, and none by another suffix", async () => {
    await using pay = await harness()
    const [late, other] = [
      await newPerson(pay, { platformCustomerId: "customer-301" }),
      await newPerson(pay, { platformCustomerId: "customer-302" }),
    ]
    const usdOf = async (id: string) => (await list(pay, `/internal-accounts?customerId=${id}&currency=USD`))[0]
    await pay.settle()
    await pay.clock.advance("29 seconds")
    expect(typesOf((await usdOf(late)) as Account)).toEqual(["USD_ACCOUNT"])
    expect(pay.inbox.ofType("INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED")).toEqual([])
    await pay.clock.advance("2 seconds")
    await pay.settle()
    const account = (await usdOf(late)) as Account
    expect(typesOf(account)).toEqual(["USD_ACCOUNT", "SWIFT_ACCOUNT"])
    expect(account.fundingPaymentInstructions.filter((one) => !isPaymentInstructions(one))).toEqual([])
    const events = pay.inbox.ofType("INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED")
    expect(events.map(({ data }) => data)).toMatchObject([
      { id: account.id, status: "ACTIVE", fundingPaymentInstructions: account.fundingPaymentInstructions },
    ])
    expect(typesOf((await usdOf(other)) as Account)).toEqual(["USD_ACCOUNT"])
  })

  it("change when the embedding program reports it: one event for each change, none for a repetition", async () => {
    await using pay = await harness()
    const id = await newPerson(pay)
    const [usd] = await list(pay, `/internal-accounts?customerId=${id}&currency=USD`)
    const report = (change: { readonly hasCollectionAccount?: boolean }) =>
      pay.run(CollectionAccounts.use((accounts) => accounts.report(usd?.id ?? "", change)))
    for (const change of [true, true, false, false]) await report({ hasCollectionAccount: change })
    await report({})
    await pay.settle()
    const events = pay.inbox.ofType("INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED")
    expect(events.length).toBe(3)
  })

  it("are asked for with the legal name of a business and with its region, and so is its collection account", async () => {
    const asked: Array<object> = []
    const funding = Layer.succeed(FundingInstructions, {
      forPayment: () => Effect.succeed([]),
      forAccount: ({ holderName, region }) =>
        Effect.sync(() => {
          asked.push({ holderName, region })
          return []
        }),
      collectionAccount: ({ region }) =>
        Effect.sync(() => {
          asked.push({ region })
          return { _tag: "None" } as const
        }),
    })
    await using pay = await harness({ ports: Layer.merge(Sandbox.layer, funding) })
    const business = { customerType: "BUSINESS", region: "US", businessInfo }
    const id = idOf(await pay.send("POST", "/customers", { body: business }))
    await pay.settle()
    expect(asked.splice(0)).toEqual([{ region: "US" }])
    await pay.send("GET", `/internal-accounts?customerId=${id}&currency=USD`)
    expect(asked).toEqual([{ holderName: "Engines Ltd", region: "US" }])
  })

  it("leave out what a port answers that is no variant, and are empty without a port's answer", async () => {
    const valid = { accountOrWalletInfo: { accountType: "LIGHTNING" as const, invoice: "lnbc1" } }
    const wrong = { accountOrWalletInfo: { accountType: "LIGHTNING" as const, invoice: "" } }
    const funding = Layer.succeed(FundingInstructions, {
      forPayment: () => Effect.succeed([]),
      forAccount: ({ currency }) => Effect.succeed(currency === "BTC" ? [wrong, valid] : []),
      collectionAccount: () => Effect.succeed({ _tag: "None" }),
    })
    await using pay = await harness({ ports: Layer.merge(Sandbox.layer, funding) })
    const id = await newPerson(pay)
    for (const account of await list(pay, `/internal-accounts?customerId=${id}&limit=100`)) {
      const isBitcoin = account.balance.currency.code === "BTC"
      expect(account.fundingPaymentInstructions).toEqual(isBitcoin ? [valid] : [])
    }
  })
})
