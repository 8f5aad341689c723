/** Sample requests of an individual and a business with complete profiles, and calls that tests make over HTTP. */
import type { Harness, Reply } from "../../../packages/test/src/harness/Harness.ts"

export const address = { line1: "12 Analytical Row", city: "London", postalCode: "W1", country: "GB" }

export const person = {
  customerType: "INDIVIDUAL",
  platformCustomerId: "ada",
  region: "GB",
  currencies: ["USD", "EUR"],
  email: "ada@example.com",
  phoneNumber: "+14155550123",
  umaAddress: "$ada@pay.example.com",
  fullName: "Ada Lovelace",
  birthDate: "1985-12-10",
  nationality: "GB",
  address,
  idType: "SSN",
  countryOfIssuance: "US",
  sourceOfFundsCategories: ["SALARY", "OTHER"],
  sourceOfFundsOtherDescription: "Royalties",
  sourceOfWealthCategories: ["INHERITANCE"],
  sourceOfWealthOtherDescription: "None",
  purposeOfAccount: "P2P_TRANSFERS",
  purposeOfAccountOtherDescription: "Friends",
  expectedMonthlyTransactionCount: "COUNT_10_TO_100",
  expectedMonthlyTransactionVolume: "VOLUME_10K_TO_100K",
  annualIncomeRange: "RANGE_100K_250K",
  netWorthRange: "RANGE_500K_1M",
  pepStatus: "NONE",
} as const

export const ssn = "123456789"

export const businessInfo = {
  legalName: "Engines Ltd",
  country: "US",
  taxId: "987654321",
  incorporatedOn: "2014-03-01",
  doingBusinessAs: "Engines",
  registrationNumber: "REG-5523",
  entityType: "LLC",
  businessType: "INFORMATION",
  countriesOfOperation: ["US", "GB"],
  purposeOfAccount: "SUPPLIER_PAYMENTS",
  purposeOfAccountOtherDescription: "Parts",
  sourceOfFunds: "Sales",
  sourceOfFundsCategories: ["OPERATING_REVENUE"],
  sourceOfFundsOtherDescription: "None",
  expectedMonthlyTransactionCount: "COUNT_UNDER_10",
  expectedMonthlyTransactionVolume: "VOLUME_UNDER_10K",
  expectedRecipientJurisdictions: ["MX"],
  expectedCounterpartyCountries: ["BR"],
  naicsCode: "541511",
  primaryContactFirstName: "Charles",
  primaryContactLastName: "Babbage",
} as const

export const owner = {
  roles: ["UBO", "DIRECTOR"],
  ownershipPercentage: 60,
  personalInfo: {
    firstName: "Charles",
    middleName: "H",
    lastName: "Babbage",
    birthDate: "1971-12-26",
    nationality: "GB",
    email: "charles@example.com",
    phoneNumber: "+14155550124",
    address,
    idType: "SSN",
    identifier: "555443333",
    countryOfIssuance: "US",
  },
} as const

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Returns the member of a response body at a path. */
export const at = (reply: Pick<Reply, "body">, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((value, key) => (isMembers(value) ? value[String(key)] : undefined), reply.body)

export const idOf = (reply: Reply): string => {
  const id = at(reply, "id")
  if (typeof id !== "string") throw new Error(`no id in ${reply.status} ${JSON.stringify(reply.body)}`)
  return id
}

export const createCustomer = (pay: Harness, body: object): Promise<Reply> => pay.send("POST", "/customers", { body })

/** Creates an individual without profile and returns its id. */
export const newPerson = async (pay: Harness, body: object = {}): Promise<string> =>
  idOf(
    await pay.send("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace", ...body } }),
  )

/** Creates a business whose registration number ends in `suffix`, and returns its id. */
export const newBusiness = async (pay: Harness, suffix = "523"): Promise<string> => {
  const info = { ...businessInfo, registrationNumber: `REG-5${suffix}` }
  return idOf(await pay.send("POST", "/customers", { body: { customerType: "BUSINESS", businessInfo: info } }))
}

export const newOwner = async (pay: Harness, customerId: string, lastName = "Babbage"): Promise<string> => {
  const body = { ...owner, customerId, personalInfo: { ...owner.personalInfo, lastName } }
  return idOf(await pay.send("POST", "/beneficial-owners", { body }))
}

/** Returns the types of the events delivered since the last call, in order. */
export const deliveredEventTypes = async (pay: Harness): Promise<ReadonlyArray<string>> => {
  await pay.settle()
  const types = pay.inbox.received.map(({ type }) => type)
  pay.inbox.clear()
  return types
}

/** Starts a harness whose platform has the UMA domain of the sample requests. */
export const withUmaDomain = async <H extends Harness>(starting: Promise<H>): Promise<H> => {
  const pay = await starting
  await pay.send("PATCH", "/config", { body: { umaDomain: "pay.example.com" } })
  return pay
}
