/** External accounts of every type and payment route, and the refusal of each field and check, in a deployment with strict checks. */
import { type AccountTypeRow, AccountTypes } from "@countersign/core/models"
import { StrictChecks } from "@countersign/core/ports"
import { Layer } from "effect"
import { exampleBody, requiredFields } from "../../../packages/test/src/harness/AccountExample.ts"
import { idAt } from "../confinement/Bodies.ts"
import type { StepWorld } from "../confinement/ConfinedWorld.ts"

export const strictPorts = Layer.succeed(StrictChecks, true)

const ofCustomers = "/customers/external-accounts"
const ofPlatform = "/platform/external-accounts"

/** An account of each route, of individuals, businesses and the platform in turn. */
const routes = async ({ call, callers }: StepWorld) => {
  let number = 0
  for (const [accountType, row] of AccountTypes.entries) {
    for (const route of row.routes) {
      number += 1
      const beneficiaryType = number % 2 === 0 ? "INDIVIDUAL" : "BUSINESS"
      const body = exampleBody(accountType, { route, beneficiaryType })
      if (number % 3 === 0) await call("POST", ofPlatform, { body })
      else await call("POST", ofCustomers, { body: { ...body, customerId: callers.customerId } })
    }
  }
}

/** Every field of a type with a character that its format refuses, without a beneficiary and in a currency of another type. */
const malformed = (accountType: string, row: AccountTypeRow) => ({
  currency: row.currencies.includes("MXN") ? "BRL" : "MXN",
  accountInfo: {
    accountType,
    ...Object.fromEntries(Object.entries(row.fields).map(([name, { format }]) => [name, `${format.example}!`])),
  },
})

const formats = async ({ call }: StepWorld) => {
  for (const [accountType, row] of AccountTypes.entries) {
    await call("POST", ofCustomers, { body: malformed(accountType, row) })
    // Without the fields that select a route, and with a beneficiary that has a type alone.
    const beneficiary = { beneficiaryType: row.routes.length > 1 ? "BUSINESS" : "INDIVIDUAL" }
    const { accountInfo, currency } = exampleBody(accountType)
    const needed = new Set(row.routes.flatMap((route) => requiredFields(row, route)).slice(0, 1))
    const fewer = Object.fromEntries(Object.entries(accountInfo).filter(([name]) => !needed.has(name)))
    await call("POST", ofCustomers, { body: { currency, accountInfo: { ...fewer, beneficiary } } })
  }
}

const person = { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" }
const company = { beneficiaryType: "BUSINESS", businessInfo: { legalName: "Engines Ltd", registrationNumber: "R1" } }

/** Routes that exclude each other, values of another route, derived fields and names of the directories. */
const crossed: ReadonlyArray<readonly [string, object]> = [
  ["INR", { accountType: "INR_ACCOUNT", vpa: "ravi@upi", rail: "NEFT", beneficiary: person }],
  ["INR", { accountType: "INR_ACCOUNT", accountNumber: "123456789", ifsc: "HDFC0001234", beneficiary: person }],
  ["INR", { accountType: "INR_ACCOUNT", accountNumber: "123456789", rail: "UPI", beneficiary: person }],
  ["CNY", { accountType: "CNY_ACCOUNT", bankName: "Bank of China", accountNumber: "123456", beneficiary: person }],
  ["CNY", { accountType: "CNY_ACCOUNT", bankName: "Bank", phoneNumber: "+8613812345678", beneficiary: person }],
  ["CNY", { accountType: "CNY_ACCOUNT", bankName: "Bank of China", accountNumber: "123456", beneficiary: company }],
  ["BTC", { accountType: "LIGHTNING", lightningAddress: "ada@example.com", invoice: `lnbc1${"q".repeat(60)}` }],
  ["BTC", { accountType: "LIGHTNING_ACCOUNT", lightningAddress: "ada102@example.com" }],
  ["XOF", { accountType: "XOF_ACCOUNT", phoneNumber: "+22990123456", provider: "MTN", beneficiary: person }],
  [
    "XOF",
    { accountType: "XOF_ACCOUNT", phoneNumber: "+22890123456", provider: "A", region: "SN", beneficiary: person },
  ],
  ["XAF", { accountType: "XAF_ACCOUNT", phoneNumber: "+242671234567", provider: "MTN", beneficiary: person }],
  ["XAF", { accountType: "XAF_ACCOUNT", phoneNumber: "+235671234567", provider: "MTN", beneficiary: person }],
  [
    "XAF",
    { accountType: "XAF_ACCOUNT", phoneNumber: "+237671234567", provider: "A", region: "CG", beneficiary: person },
  ],
  ["SGD", { accountType: "SGD_ACCOUNT", accountNumber: "123456102", swiftCode: "OCBCSGSG", beneficiary: person }],
  ["SGD", { accountType: "SGD_ACCOUNT", accountNumber: "123456103", swiftCode: "AAAASGSG", beneficiary: person }],
  ["PHP", { accountType: "PHP_ACCOUNT", bankName: "Bank", accountNumber: "001234567890", beneficiary: person }],
  ["ZAR", { accountType: "ZAR_ACCOUNT", bankName: "BDO Unibank", accountNumber: "1234567890", beneficiary: person }],
  ["USDC", { accountType: "BASE_WALLET", address: `0x${"a2".repeat(20)}`, vaspName: "Nowhere" }],
  ["USDC", { accountType: "BASE_WALLET", address: `0x${"a3".repeat(20)}`, vaspName: "Meridian Custody" }],
  ["USD", { accountType: "US_ACCOUNT", accountNumber: "1234" }],
]

/** Values that a format accepts, and check digits or a checksum refuse. */
const unchecked: ReadonlyArray<readonly [string, string, Readonly<Record<string, string>>]> = [
  ["EUR_ACCOUNT", "EUR", { iban: "DE89370400440532013105", swiftCode: "DEUTXXFF" }],
  ["EUR_ACCOUNT", "EUR", { iban: "gb82WEST12345698765432", swiftCode: "COBADEFFXXX" }],
  ["EUR_ACCOUNT", "EUR", { iban: "XX89370400440532013000" }],
  ["USD_ACCOUNT", "USD", { routingNumber: "021000022" }],
  ["USD_ACCOUNT", "USD", { routingNumber: "000000000" }],
  ["USD_ACCOUNT", "USD", { routingNumber: "122105155" }],
  ["MXN_ACCOUNT", "MXN", { clabeNumber: "032180000118359105" }],
  ["BRL_ACCOUNT", "BRL", { pixKey: "529.982.247-25", pixKeyType: "CPF", taxId: "52998224726" }],
  ["BRL_ACCOUNT", "BRL", { pixKey: "52998224725", pixKeyType: "CNPJ", taxId: "11222333000182" }],
  ["BRL_ACCOUNT", "BRL", { pixKey: "11222333000181", pixKeyType: "CNPJ", taxId: "11222333000181" }],
  ["BRL_ACCOUNT", "BRL", { pixKey: "ana", pixKeyType: "EMAIL", taxId: "529982247251" }],
  ["BRL_ACCOUNT", "BRL", { pixKey: "ana@mail.example.com", pixKeyType: "EMAIL" }],
  ["BRL_ACCOUNT", "BRL", { pixKey: "11987654321", pixKeyType: "PHONE" }],
  ["BRL_ACCOUNT", "BRL", { pixKey: "+551187654321", pixKeyType: "PHONE" }],
  ["BRL_ACCOUNT", "BRL", { pixKey: "+5511987654321", pixKeyType: "PHONE" }],
  ["BRL_ACCOUNT", "BRL", { pixKey: "123", pixKeyType: "RANDOM" }],
  ["BRL_ACCOUNT", "BRL", { pixKey: "123e4567-e89b-12d3-a456-426655440000", pixKeyType: "RANDOM" }],
  ["SOLANA_WALLET", "USDC", { address: "1111111111111111111111111111111111111111111" }],
  ["SOLANA_WALLET", "USDC", { address: "11111111111111111111111111111111" }],
  ["TRON_WALLET", "USDT", { address: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u" }],
  ["BASE_WALLET", "USDC", { address: "0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
  ["BASE_WALLET", "USDC", { address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
  ["BASE_WALLET", "USDC", { address: "0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED" }],
  ["SPARK_WALLET", "BTC", { address: `spark1${"q".repeat(54)}` }],
]

export const accountTypeSteps = async (it: StepWorld) => {
  const { call, callers } = it
  await routes(it)
  await formats(it)
  for (const [currency, accountInfo] of crossed) await call("POST", ofPlatform, { body: { currency, accountInfo } })
  for (const [accountType, currency, fields] of unchecked) {
    const { accountInfo } = exampleBody(accountType, { beneficiaryType: "BUSINESS" })
    await call("POST", ofPlatform, { body: { currency, accountInfo: { ...accountInfo, ...fields } } })
  }
  const list = `${ofCustomers}?customerId=${callers.customerId}&limit=2`
  const page = await call("GET", `${list}&currency=XOF`)
  const cursor = idAt(await call("GET", `${ofCustomers}?limit=2`), "nextCursor")
  await call("GET", `${ofCustomers}?limit=2&cursor=${encodeURIComponent(cursor)}`)
  await call("GET", `${ofPlatform}?limit=2&currency=USDC`)
  await call("GET", `${ofPlatform}/${idAt(page, "data", 0, "id")}`)
}
