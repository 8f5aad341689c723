/**
 * The funding instructions of the sandbox: what each type shows, and that a payment or account has the same ones each time.
 * Source: wire contract areas 2.11 and 2.12; D-127, D-397.
 */
import type { CurrencyCode, PaymentInstructions } from "@countersign/core/models"
import { FundingInstructions } from "@countersign/core/ports"
import { SandboxFunding } from "@countersign/core/sandbox"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { hexAddressOf, ibanOf, transactionHashOf } from "../../../packages/core/src/sandbox/FundingAddresses.ts"

const port = Effect.runSync(Effect.provide(FundingInstructions.use(Effect.succeed), SandboxFunding.layer))

/** The type, the fields in their order, and the rails. */
const textOf = ({ accountOrWalletInfo }: PaymentInstructions): string => {
  const members = Object.entries(accountOrWalletInfo).flatMap(([name, value]: readonly [string, unknown]) =>
    Array.isArray(value) ? value : [name === "accountType" ? value : `${name}=${value}`],
  )
  return members.join(", ")
}

/** One payment of the reference `PAY-1` in each currency, by network or region where it chooses the type. */
const shown: ReadonlyArray<readonly [what: string, instruction: string]> = [
  [
    "USD",
    "USD_ACCOUNT, accountNumber=946665477362, routingNumber=021000021, accountHolderName=Countersign Sandbox, bankName=Example Bank, bankAddress=1 Sandbox Street, Springfield, US, reference=PAY-1, ACH, WIRE, RTP, FEDNOW",
  ],
  [
    "EUR",
    "EUR_ACCOUNT, iban=DE94370400442737026416, accountHolderName=Countersign Sandbox, bankName=Commerzbank, reference=PAY-1, SEPA, SEPA_INSTANT",
  ],
  ["GBP", "GBP_ACCOUNT, sortCode=200000, accountNumber=22440069, reference=PAY-1, FASTER_PAYMENTS"],
  ["MXN", "MXN_ACCOUNT, clabeNumber=032180494152930616, reference=PAY-1, SPEI"],
  ["BRL", "BRL_ACCOUNT, qrCode=00020126580014br.gov.bcb.pix013611021249812695679638901369647917295962PAY-16304ABCD"],
  [
    "INR",
    "INR_ACCOUNT, vpa=fund-x879rquz@sandbox, accountNumber=241103714215, ifsc=HDFC0001234, bankName=HDFC Bank, UPI, NEFT, RTGS",
  ],
  ["DKK", "DKK_ACCOUNT, iban=DK5800402915149475, reference=PAY-1, SEPA, SEPA_INSTANT"],
  ["NGN", "NGN_ACCOUNT, accountNumber=3702749653, bankName=Access Bank, reference=PAY-1, BANK_TRANSFER"],
  ["CAD", "CAD_ACCOUNT, bankCode=001, branchCode=00001, accountNumber=514052367915, reference=PAY-1, BANK_TRANSFER"],
  [
    "HKD",
    "HKD_ACCOUNT, bankName=HSBC Hong Kong, accountNumber=797176204573, swiftCode=HSBCHKHH, reference=PAY-1, BANK_TRANSFER",
  ],
  [
    "IDR",
    "IDR_ACCOUNT, bankName=Bank Central Asia, accountNumber=737911703237, swiftCode=CENAIDJA, phoneNumber=+6281237379117, reference=PAY-1, BANK_TRANSFER",
  ],
  [
    "MYR",
    "MYR_ACCOUNT, bankName=Maybank, accountNumber=397274034637, swiftCode=MBBEMYKL, reference=PAY-1, BANK_TRANSFER",
  ],
  ["PHP", "PHP_ACCOUNT, bankName=BDO Unibank, accountNumber=875863603181, reference=PAY-1, BANK_TRANSFER"],
  [
    "SGD",
    "SGD_ACCOUNT, bankName=DBS Bank, accountNumber=230606672692, swiftCode=DBSSSGSG, reference=PAY-1, PAYNOW, FAST, BANK_TRANSFER",
  ],
  [
    "THB",
    "THB_ACCOUNT, bankName=Bangkok Bank, accountNumber=568236211004, swiftCode=BKKBTHBK, reference=PAY-1, BANK_TRANSFER",
  ],
  [
    "VND",
    "VND_ACCOUNT, bankName=Vietcombank, accountNumber=815197930680, swiftCode=BFTVVNVX, reference=PAY-1, BANK_TRANSFER",
  ],
  ["AED", "AED_ACCOUNT, iban=AE350331526690980132489, reference=PAY-1, BANK_TRANSFER"],
  ["KES", "KES_ACCOUNT, phoneNumber=+254719435875, provider=M-PESA, reference=PAY-1, MOBILE_MONEY"],
  ["MWK", "MWK_ACCOUNT, phoneNumber=+265998489383, provider=AIRTEL, reference=PAY-1, MOBILE_MONEY"],
  ["RWF", "RWF_ACCOUNT, phoneNumber=+250789005954, provider=MTN, reference=PAY-1, MOBILE_MONEY"],
  ["TZS", "TZS_ACCOUNT, phoneNumber=+255718491311, provider=AIRTEL, reference=PAY-1, MOBILE_MONEY"],
  ["UGX", "UGX_ACCOUNT, phoneNumber=+256775329589, provider=MTN, reference=PAY-1, MOBILE_MONEY"],
  ["XOF", "XOF_ACCOUNT, phoneNumber=+221775598991, provider=ORANGE, region=BJ, reference=PAY-1, MOBILE_MONEY"],
  ["ZAR", "ZAR_ACCOUNT, accountNumber=811559290988, bankName=First National Bank, reference=PAY-1, BANK_TRANSFER"],
  ["ZMW", "ZMW_ACCOUNT, phoneNumber=+260973258298, provider=MTN, reference=PAY-1, MOBILE_MONEY"],
  ["BWP", "BWP_ACCOUNT, phoneNumber=+26773016053, provider=Orange, reference=PAY-1, MOBILE_MONEY"],
  ["XAF", "XAF_ACCOUNT, phoneNumber=+237679139623, provider=MTN, region=CM, reference=PAY-1, MOBILE_MONEY"],
  [
    "BDT",
    "BDT_ACCOUNT, bankName=BRAC Bank, accountNumber=808383693011, branchCode=00001, swiftCode=BRAKBDDH, reference=PAY-1, BANK_TRANSFER",
  ],
  ["ARS", "ARS_ACCOUNT, accountNumber=6183805737217477917188"],
  ["COP", "COP_ACCOUNT, paymentUrl=https://pay.sandbox.example/PAY-1"],
  [
    "EGP",
    "EGP_ACCOUNT, bankName=National Bank of Egypt, iban=EG030019000596339529361129127, reference=PAY-1, BANK_TRANSFER",
  ],
  ["GHS", "GHS_ACCOUNT, bankName=GCB Bank, accountNumber=850965685564, reference=PAY-1, BANK_TRANSFER"],
  [
    "GTQ",
    "GTQ_ACCOUNT, accountNumber=869737901376, bankAccountType=CHECKING, bankName=Banco Industrial, reference=PAY-1, BANK_TRANSFER",
  ],
  ["HTG", "HTG_ACCOUNT, phoneNumber=+50939533982, reference=PAY-1, MOBILE_MONEY"],
  [
    "JMD",
    "JMD_ACCOUNT, accountNumber=669986698529, branchCode=00001, bankAccountType=CHECKING, bankName=National Commercial Bank, reference=PAY-1, BANK_TRANSFER",
  ],
  [
    "JPY",
    "SWIFT_ACCOUNT, country=BR, swiftCode=DEUTDEFFXXX, bankName=Deutsche Bank, accountNumber=134722768154, accountHolderName=Countersign Sandbox, bankAddress=1 Sandbox Street, Springfield, US, reference=PAY-1, SWIFT",
  ],
  [
    "PKR",
    "PKR_ACCOUNT, bankName=Standard Chartered, accountNumber=203438131209, iban=PK93SCBL2034381312098594, reference=PAY-1, BANK_TRANSFER",
  ],
  ["CNY", "CNY_ACCOUNT, bankName=Bank of China, accountNumber=114421391900, reference=PAY-1, BANK_TRANSFER"],
  [
    "USD SV",
    "SLV_ACCOUNT, bankName=Banco Agrícola, accountNumber=223288947640, bankAccountType=CHECKING, reference=PAY-1, BANK_TRANSFER",
  ],
  ["USDC SOLANA", "SOLANA_WALLET, address=CvYZerUvKcBk4wrF9FEHgRPsxj4x2hJE9ybgCQ4A4jxd, assetType=USDC"],
  ["USDC POLYGON", "POLYGON_WALLET, address=0xf4bd7f2d93220730af9c85e73fdcc39bf1dfc1cf, assetType=USDC"],
  ["USDC BASE", "BASE_WALLET, address=0x82602c68561797ef7359442033ed3fa44fa9ecda, assetType=USDC"],
  ["USDC ETHEREUM", "ETHEREUM_WALLET, address=0x578744f94254e0f67b8ca2a1e1ad0b30807de317, assetType=USDC"],
  ["USDT TRON", "TRON_WALLET, address=TTBZm2ufKpo3VTPaG57o8n3nzQszKzQ72Z, assetType=USDT"],
  ["USDT PLASMA", "PLASMA_WALLET, address=0xfe03e7e31e8be8344dc5ca5708751be535490777, assetType=USDT"],
  [
    "USDB SPARK",
    "SPARK_WALLET, address=spark1dhnjhjvzljfzh2tt3ssa5edkghlh0kyqe7cs8sxar994d5789hq0hd4cw5gkw3htkl8, assetType=USDB",
  ],
  [
    "BTC SPARK",
    "SPARK_WALLET, address=spark1dhnjhjvzljfzh2tt3ssa5edkghlh0kyqe7cs8sxar994d5789hq0hd4cw5gkw3htkl8, assetType=BTC",
  ],
  [
    "BTC LIGHTNING",
    "LIGHTNING, invoice=lnbc1jse9s6ckawxx2tda4x8ar75ure4s4sdh7l70nzdhhmxje6l9xyqqvjp9gnaac2q5dm4k7hpded64j0j38ezq7dvp7v78lesme4h24fu4cr6wcj7pqmp5l4atujfj6mtvlzd0xde2zuqp555k8lfggt8rslhmewtchf53yp5ywdfstq80n2p6r0",
  ],
  ["BTC BITCOIN", "BITCOIN_L1, address=bc1qvx0f8sh8pg2qah7hu54slnv3dex43zt8v7kau8, network=BITCOIN"],
]

describe("the instructions of a payment", () => {
  it.each(shown)("in %s never change", (what, instruction) => {
    const [currency, choice] = what.split(" ")
    const request = { reference: "PAY-1", currency: currency as CurrencyCode }
    const chosen =
      choice === "SV" ? { region: choice } : choice === undefined ? {} : { cryptoNetwork: choice as "BASE" }
    const made = Effect.runSync(port.forPayment({ ...request, ...chosen }))
    expect(made.map(textOf)).toContain(instruction)
    expect(made.every(({ isPlatformAccount }) => isPlatformAccount)).toBe(true)
    expect(new Set(made.map(({ instructionsNotes }) => instructionsNotes))).toEqual(
      new Set(["Nobody needs to pay here: POST /sandbox/send does. Reference PAY-1."]),
    )
  })

  it("differ from those of another payment in their numbers and reference", () => {
    const [one, other] = ["PAY-1", "PAY-2"].map((reference) =>
      Effect.runSync(port.forPayment({ reference, currency: "EUR" })).map(textOf),
    )
    expect(other).toEqual([
      `EUR_ACCOUNT, iban=${ibanOf("DE", "37040044", "EUR_ACCOUNT:PAY-2", 10)}, accountHolderName=Countersign Sandbox, bankName=Commerzbank, reference=PAY-2, SEPA, SEPA_INSTANT`,
    ])
    expect(other).not.toEqual(one)
  })
})

describe("the instructions of an account", () => {
  const forAccount = (currency: CurrencyCode, hasCollectionAccount = false, more: object = {}) =>
    Effect.runSync(
      port.forAccount({
        accountId: "InternalAccount:1",
        type: "INTERNAL_FIAT",
        currency,
        reference: "FUND-ABCDEFGH",
        isPlatformAccount: false,
        hasCollectionAccount,
        ...more,
      }),
    )
  const typesOf = (made: ReadonlyArray<PaymentInstructions>) =>
    made.map(({ accountOrWalletInfo: { accountType } }) => accountType)

  it.each<readonly [CurrencyCode, ReadonlyArray<string>]>([
    ["USD", ["USD_ACCOUNT"]],
    ["EUR", ["EUR_ACCOUNT"]],
    ["USDB", ["SPARK_WALLET"]],
    ["BTC", ["SPARK_WALLET", "LIGHTNING", "BITCOIN_L1"]],
    ["USDC", ["SOLANA_WALLET", "ETHEREUM_WALLET", "BASE_WALLET", "POLYGON_WALLET"]],
    ["USDT", ["TRON_WALLET", "ETHEREUM_WALLET", "SOLANA_WALLET", "PLASMA_WALLET"]],
  ])("in %s are listed in the same order", (currency, types) => {
    expect(typesOf(forAccount(currency))).toEqual(types)
    // Only dollars are collected internationally.
    expect(typesOf(forAccount(currency, true))).toEqual(currency === "USD" ? [...types, "SWIFT_ACCOUNT"] : types)
  })

  it("name their holder, their account and their reference", () => {
    const [made] = forAccount("USD", false, { holderName: "Ada" })
    expect(made).toMatchObject({
      isPlatformAccount: false,
      instructionsNotes: "Send USD to this account and quote the reference FUND-ABCDEFGH.",
      accountOrWalletInfo: { accountHolderName: "Countersign Sandbox FBO Ada", reference: "FUND-ABCDEFGH" },
    })
    expect(forAccount("USD", false, { isPlatformAccount: true })[0]).toMatchObject({
      isPlatformAccount: true,
      accountOrWalletInfo: { accountHolderName: "Countersign Sandbox" },
    })
    expect(forAccount("USD", false, { holderName: "x".repeat(300) })[0]).toMatchObject({
      accountOrWalletInfo: { accountHolderName: `Countersign Sandbox FBO ${"x".repeat(231)}` },
    })
  })

  it("say that no reference is needed where the address is of the account alone", () => {
    for (const { instructionsNotes } of [...forAccount("BTC"), ...forAccount("INR")])
      expect(instructionsNotes).toMatch(/^Send (?:BTC|INR) here; the money reaches this account alone\.$/u)
  })

  it("have other numbers for another account", () => {
    const [one, other] = ["InternalAccount:1", "InternalAccount:2"].map((accountId) =>
      forAccount("USDC", false, { accountId }).map(textOf),
    )
    for (const text of one ?? []) expect(other).not.toContain(text)
  })
})

describe("a collection account", () => {
  const openedAt = 5_000
  const asked = (platformCustomerId: string, now: number) =>
    Effect.runPromise(
      Effect.gen(function* () {
        yield* TestClock.adjust(now)
        return yield* port.collectionAccount({ platformCustomerId, openedAt } as Parameters<
          typeof port.collectionAccount
        >[0])
      }).pipe(Effect.provide(TestClock.layer())),
    )

  it("exists 30 seconds after it is opened for a customer whose id ends in 301, and for no other", async () => {
    expect(await asked("customer-301", openedAt)).toEqual({ _tag: "Later", at: 35_000 })
    expect(await asked("customer-301", 34_999)).toEqual({ _tag: "Later", at: 35_000 })
    expect(await asked("customer-301", 35_000)).toEqual({ _tag: "Available" })
    expect(await asked("customer-302", 35_000)).toEqual({ _tag: "None" })
  })
})

describe("an address", () => {
  it("of a bank account has the check digits of its country", () => {
    for (const seed of ["a", "b", "c"]) {
      const iban = ibanOf("DE", "37040044", seed, 10)
      const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(
        /[A-Z]/gu,
        (letter) => `${letter.charCodeAt(0) - 55}`,
      )
      expect([iban.length, BigInt(digits) % 97n]).toEqual([22, 1n])
    }
  })

  it("of Ethereum has 20 bytes, and a transaction the form of its network", () => {
    expect(hexAddressOf("seed")).toMatch(/^0x[0-9a-f]{40}$/u)
    for (const network of ["ETHEREUM", "BASE", "POLYGON", "PLASMA"] as const)
      expect(transactionHashOf(network, "seed")).toMatch(/^0x[0-9a-f]{64}$/u)
    for (const network of ["BITCOIN", "TRON", "SPARK"] as const)
      expect(transactionHashOf(network, "seed")).toMatch(/^[0-9a-f]{64}$/u)
    expect(transactionHashOf("SOLANA", "seed")).toMatch(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/u)
    expect(transactionHashOf("LIGHTNING", "seed")).toBeUndefined()
  })
})
