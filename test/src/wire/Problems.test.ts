/** Problems of fields: one response lists all of them, as sentences and as constraints, without the values. */
import { describe, expect, it } from "vitest"
import { bearer, call, json, type Sent } from "./FakeService.ts"

interface Problem {
  readonly field: string
  readonly message: string
  readonly constraint?: Readonly<Record<string, unknown>>
}

const problemsOf = async (path: string, sent: Sent): Promise<ReadonlyArray<Problem>> => {
  const response = await call(path, sent)
  const body = await json(response)
  expect([response.status, body.code]).toEqual([400, "INVALID_INPUT"])
  return body.details.errors
}
const inBody = (path: string, body: unknown, more: Sent = {}) => problemsOf(path, { method: "POST", body, ...more })
const fields = (problems: ReadonlyArray<Problem>) => problems.map(({ field }) => field).toSorted()

const account = {
  accountType: "USD_ACCOUNT",
  accountNumber: "123456789",
  routingNumber: "021000021",
  beneficiary: {
    beneficiaryType: "INDIVIDUAL",
    fullName: "Ada Lovelace",
    address: { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" },
  },
}
const externalAccount = { currency: "USD", accountInfo: account }
const external = "/customers/external-accounts"
const agentId = "Agent:00000000-0000-4000-8000-000000000001"

describe("one response lists all problems", () => {
  // Proves: EP-EXT-02, EP-EXT-03
  it("of every level of a body", async () => {
    const secret = "4111111111111111-secret"
    const problems = await inBody(external, {
      customerId: "Customer:1",
      currency: "usd",
      platformAccountId: "",
      defaultUmaDepositAccount: "yes",
      accountInfo: {
        ...account,
        accountNumber: secret,
        routingNumber: null,
        bankAccountType: "GOLD",
        beneficiary: {
          beneficiaryType: "INDIVIDUAL",
          fullName: 5,
          birthDate: "2001-02-30",
          address: { country: "us" },
        },
      },
    })
    expect(fields(problems)).toEqual([
      "accountInfo.accountNumber",
      "accountInfo.bankAccountType",
      "accountInfo.beneficiary.address.city",
      "accountInfo.beneficiary.address.country",
      "accountInfo.beneficiary.address.line1",
      "accountInfo.beneficiary.address.postalCode",
      "accountInfo.beneficiary.birthDate",
      "accountInfo.beneficiary.fullName",
      "accountInfo.routingNumber",
      "currency",
      "customerId",
      "defaultUmaDepositAccount",
      "platformAccountId",
    ])
    expect(JSON.stringify(problems)).not.toContain(secret)
  })

  it("of a rule over several fields together with problems of single fields", async () => {
    const beneficiary = { beneficiaryType: "BUSINESS", address: { ...account.beneficiary.address, city: "" } }
    const problems = await inBody(external, { currency: "EUR", accountInfo: { ...account, beneficiary } })
    expect(fields(problems)).toEqual([
      "accountInfo.beneficiary.address.city",
      "accountInfo.beneficiary.businessInfo.legalName",
      "currency",
    ])
  })

  // Proves: EP-EXT-12
  it("of a rule over several fields alone", async () => {
    expect(await inBody(external, { ...externalAccount, currency: "EUR" })).toEqual([
      { field: "currency", message: "must be USD for USD_ACCOUNT", constraint: { enum: ["USD"] } },
    ])
    const problems = await problemsOf(`/agents/${agentId}`, { method: "PATCH", body: { color: "red" } })
    expect(problems).toEqual([{ field: "body", message: "must have at least one of name, isPaused" }])
  })

  // Proves: EP-AGENT-07, EP-AGENT-08
  it("of the entries of a list, each at its place", async () => {
    const actions = [{}, { type: "GIFT" }, 5, { type: "TRANSFER_OUT" }]
    const problems = await inBody(`/operator/agents/${agentId}/policy-evaluations`, { actions })
    const ofType = { enum: expect.arrayContaining(["TRANSFER_IN", "TRANSFER_OUT"]) }
    expect(problems.filter(({ field }) => /^actions\.[012]/u.test(field))).toEqual([
      {
        field: "actions.0.type",
        message: expect.stringMatching(/^is required and must be /u),
        constraint: { required: true, ...ofType },
      },
      { field: "actions.1.type", message: expect.stringMatching(/^must be /u), constraint: ofType },
      { field: "actions.2", message: "must be an object", constraint: { type: "object" } },
    ])
    expect(fields(problems).filter((field) => field.startsWith("actions.3."))).not.toEqual([])
  })

  it("of a member that may be null, which its sentence says", async () => {
    const [problem] = await problemsOf("/config", { method: "PATCH", body: { webhookEndpoint: 5 } })
    expect(problem).toMatchObject({ field: "webhookEndpoint", constraint: { nullable: true } })
    expect(problem?.message).toMatch(/ or null$/u)
  })

  it("of body and headers", async () => {
    const problems = await inBody(
      "/agents/me/transfer-in",
      { amount: "5" },
      {
        authorization: bearer(),
        headers: { "idempotency-key": "a".repeat(256) },
      },
    )
    expect(fields(problems)).toEqual(["Idempotency-Key", "amount", "destination", "source"])
  })

  it("of a query", async () => {
    const query = "limit=0&cursor=&sortOrder=up&agentId=x&startDate=2025-02-30T00:00:00Z&endDate=today"
    const problems = await problemsOf(`/agents/approvals?${query}`, {})
    expect(fields(problems)).toEqual(["agentId", "cursor", "endDate", "limit", "sortOrder", "startDate"])
  })
})

// Proves: ERR-INVALID_INPUT
describe("sentences and constraints", () => {
  const customer = (patch: object) => ["/customers", { customerType: "INDIVIDUAL", ...patch }] as const
  const usd = (patch: object) => [external, { ...externalAccount, accountInfo: { ...account, ...patch } }] as const
  const fund = (amount: unknown) => ["/sandbox/internal-accounts/x/fund", { amount }] as const

  // Proves: SBX-FUND-02, EP-EXT-17
  it.each([
    [
      ...usd({ routingNumber: "12" }),
      "accountInfo.routingNumber",
      "must be exactly 9 digits",
      { pattern: "^[0-9]{9}$" },
    ],
    [...usd({ routingNumber: undefined }), "accountInfo.routingNumber", "is required", { required: true }],
    [...usd({ accountNumber: 7 }), "accountInfo.accountNumber", "must be a string", { type: "string" }],
    [...usd({ bankName: "" }), "accountInfo.bankName", "must not be empty", { minLength: 1 }],
    [...usd({ bankName: "a".repeat(141) }), "accountInfo.bankName", "at most 140 characters", { maxLength: 140 }],
    [
      ...usd({ bankAccountType: "X" }),
      "accountInfo.bankAccountType",
      "one of CHECKING, SAVINGS",
      { enum: ["CHECKING", "SAVINGS"] },
    ],
    [...usd({ accountType: "NO" }), "accountInfo.accountType", "must be one of USD_ACCOUNT, MXN", {}],
    [
      ...usd({ accountType: undefined }),
      "accountInfo.accountType",
      "is required and must be one of USD_ACCOUNT, MXN",
      { required: true },
    ],
    [
      ...usd({ beneficiary: {} }),
      "accountInfo.beneficiary.beneficiaryType",
      "INDIVIDUAL, BUSINESS",
      { enum: ["INDIVIDUAL", "BUSINESS"] },
    ],
    [...usd({ beneficiary: [] }), "accountInfo.beneficiary", "must be an object", { type: "object" }],
    [...customer({ email: "nobody" }), "email", "must be an e-mail address", { format: "email" }],
    [...customer({ birthDate: "2025-02-30" }), "birthDate", "must be a day that exists", { format: "date" }],
    [...customer({ fullName: null }), "fullName", "must be a string", { type: "string" }],
    [...customer({ currencies: ["USD", "usd"] }), "currencies.1", "must be one of USD, EUR", {}],
    [...customer({ currencies: {} }), "currencies", "must be an array", { type: "array" }],
    [...fund(1.5), "amount", "must be an integer", { type: "integer" }],
    [...fund("1"), "amount", "must be an integer, between 1 and 100000000000", { type: "integer" }],
    [...fund(0), "amount", "between 1 and 100000000000", { minimum: 1 }],
    [...fund(2 ** 53), "amount", "must be an integer", { type: "integer" }],
    [...fund(null), "amount", "must be an integer", { type: "integer" }],
  ] as const)("describe the wrong field of POST %s with %j", async (path, body, field, message, constraint) => {
    const problems = await inBody(path, body)
    const problem = problems.find((one) => one.field === field)
    expect(problem?.message).toContain(message)
    expect(problem?.constraint ?? {}).toMatchObject(constraint)
  })

  it.each(["null", "[]", '"x"', "5"])("reject a body that is %s", async (body) => {
    expect(await inBody("/customers", body)).toMatchObject([{ field: "body", message: "must be an object" }])
  })

  it("accept an amount of zero or less, which the rules reject with INVALID_AMOUNT", async () => {
    const body = {
      source: { accountId: "ExternalAccount:00000000-0000-4000-8000-000000000001" },
      destination: { accountId: "InternalAccount:00000000-0000-4000-8000-000000000001" },
    }
    for (const amount of [0, -5]) {
      const sent = { method: "POST", authorization: bearer(), body: { ...body, amount } }
      expect((await call("/agents/me/transfer-in", sent)).status).toBe(201)
    }
  })

  it("describe a query's numbers and flags by their type", async () => {
    const problems = await problemsOf("/agents?limit=1.5&isPaused=yes&createdAfter=2025", {})
    expect(problems).toMatchObject([
      { field: "isPaused", message: "must be true or false", constraint: { type: "boolean" } },
      { field: "createdAfter", constraint: { format: "date-time" } },
      { field: "limit", constraint: { type: "integer" } },
    ])
    const twice = await problemsOf("/agents?limit=1&limit=2", {})
    expect(twice).toMatchObject([{ field: "limit", message: "must be an integer, between 1 and 100" }])
  })
})

describe("a valid request", () => {
  it("may contain unknown fields, which are ignored", async () => {
    const body = { ...externalAccount, other: 1, accountInfo: { ...account, paymentRails: ["ACH"] } }
    const response = await call(external, { method: "POST", body })
    expect(response.status).toBe(201)
    expect((await json(response)).payload).toEqual(externalAccount)
    expect((await call("/agents?nothing=1")).status).toBe(200)
  })

  it("has its query decoded to values", async () => {
    const query =
      "limit=100&isPaused=false&createdAfter=2025-01-01T02:00:00%2B02:00&updatedBefore=2025-01-01T00:00:00.5Z"
    expect((await json(call(`/agents?${query}`))).query).toEqual({
      limit: 100,
      isPaused: false,
      createdAfter: Date.UTC(2025, 0, 1),
      updatedBefore: Date.UTC(2025, 0, 1) + 500,
    })
  })
})
