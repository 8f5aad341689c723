/** Request bodies that create external accounts, and calls that their tests make over HTTP. */
import type { Harness, Reply } from "../../../packages/test/src/harness/index.ts"

const beneficiary = {
  beneficiaryType: "INDIVIDUAL",
  fullName: "Ada Lovelace",
  address: { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" },
} as const

export const usd = (accountNumber = "1234567000", fields: object = {}) => ({
  currency: "USD",
  accountInfo: { accountType: "USD_ACCOUNT", accountNumber, routingNumber: "021000021", beneficiary },
  ...fields,
})

export const php = (bankName: string, accountNumber = "12345678") => ({
  currency: "PHP",
  accountInfo: { accountType: "PHP_ACCOUNT", bankName, accountNumber, beneficiary },
})

export const evm = (address = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23", fields: object = {}) => ({
  currency: "USDC",
  accountInfo: { accountType: "ETHEREUM_WALLET", address },
  ...fields,
})

export const customersPath = "/customers/external-accounts"
export const platformPath = "/platform/external-accounts"

/** Returns the member of a response body at a path. */
export const at = (body: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? Object.entries(value).find(([name]) => name === String(key))?.[1]
        : undefined,
    body,
  )

export const textAt = (reply: Reply, ...path: ReadonlyArray<string | number>): string => {
  const value = at(reply.body, ...path)
  if (typeof value !== "string")
    throw new Error(`no ${path.join(".")} in ${reply.status} ${JSON.stringify(reply.body)}`)
  return value
}

/** Creates a customer and returns its id. */
export const newCustomer = async (pay: Harness, fields: object = {}): Promise<string> =>
  textAt(
    await pay.send("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Ada", ...fields } }),
    "id",
  )

/** Creates an account and returns its id. Throws if the creation fails. */
export const added = async (pay: Harness, body: object, path = customersPath): Promise<string> => {
  const reply = await pay.send("POST", path, { body })
  if (reply.status !== 201) throw new Error(`not created: ${reply.status} ${JSON.stringify(reply.body)}`)
  return textAt(reply, "id")
}
