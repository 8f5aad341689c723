/**
 * What the creation and the update of a customer, the confirmation of a contact and the end of a customer's access write.
 * Spec: 4.5; wire contract 5.8, 5.11 and 5.12; D-080, D-085, D-113, D-334, D-348, D-356.
 */
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import {
  confirmationRefusal,
  confirmContact,
  sendCode,
} from "../../../packages/core/src/decision/customer/ContactVerificationDecision.ts"
import { endCustomerAccess } from "../../../packages/core/src/decision/customer/CustomerAccessDecision.ts"
import { checkOf, hasNewNumber } from "../../../packages/core/src/decision/customer/CustomerChecks.ts"
import { createCustomer, updateCustomer } from "../../../packages/core/src/decision/customer/CustomerDecision.ts"
import type { CommitRejection } from "../../../packages/core/src/decision/Decision.ts"
import type { Customer } from "../../../packages/core/src/model/customer/Customer.ts"
import type {
  CustomerCreation,
  CustomerUpdateRequest,
} from "../../../packages/core/src/model/customer/CustomerRequest.ts"
import type { Platform } from "../../../packages/core/src/model/platform/Platform.ts"
import { emptyProfile } from "../../../packages/core/src/model/sca/ScaProfile.ts"
import type { Stored } from "../../../packages/core/src/store/ChangeSet.ts"
import { changesOf, contextOf, now, writtenTo } from "../card/StoredCards.ts"
import { creation } from "../quote/CreationFacts.ts"
import { sessionOf } from "../wallet/StoredCredentials.ts"
import { ada } from "./SampleCustomer.ts"

const dated = { platformId: "PlatformConfig:1", customerId: "Customer:1", version: 1, createdAt: 0, updatedAt: 0 }
const customerWith = (data: Partial<Customer> = {}): Stored<"Customer"> => ({
  ...dated,
  kind: "Customer",
  id: "Customer:1",
  data: { ...ada, ...data },
})
const platformWith = (data: Partial<Platform> = {}): Stored<"Platform"> => ({
  ...creation.platform,
  data: { ...creation.platform.data, ...data },
})
const settings = { terms: { version: "2", earlier: ["1"], url: "https://terms.example/" }, scaRegions: ["EU"] }
const consentTo = (termsVersion: string): Pick<CustomerCreation, "endUserTermsConsent"> => ({
  endUserTermsConsent: {
    acceptedAt: new Date(now).toISOString(),
    ipAddress: "192.0.2.1",
    termsVersion,
    acceptanceMethod: "CHECKBOX",
  },
})
const unregulated = { isRegulatedFinancialInstitution: false }
const taken = (key: string): CommitRejection => ({ _tag: "Taken", claim: { scope: "platform", key } })

describe("what the provider of checks learns", () => {
  const person = { customerType: "INDIVIDUAL" } as const
  const business = { customerType: "BUSINESS" } as const
  const info = { registrationNumber: "R-1", taxId: "T-1" }
  const shown = (request: CustomerUpdateRequest) => {
    const { identifier, ...rest } = checkOf("Customer:1", request)
    return [rest, identifier && Redacted.value(identifier)]
  }

  it.each<[CustomerUpdateRequest, object, string | undefined]>([
    [person, {}, undefined],
    [{ ...person, fullName: "Ada" }, { fullName: "Ada" }, undefined],
    [{ ...person, identifier: "123-45" }, {}, "123-45"],
    [business, {}, undefined],
    [{ ...business, businessInfo: info }, { registrationNumber: "R-1" }, "T-1"],
    [{ ...business, businessInfo: { taxId: "T-1" } }, {}, "T-1"],
  ])("of %j", (request, more, identifier) => {
    expect(shown(request)).toEqual([
      { customerId: "Customer:1", customerType: request.customerType, ...more },
      identifier,
    ])
  })

  it.each<[Partial<Customer>, CustomerUpdateRequest, boolean]>([
    [person, person, false],
    [person, { ...person, identifier: "123-45" }, true],
    [person, { ...business, businessInfo: info }, false],
    [business, { ...person, identifier: "123-45" }, false],
    [business, business, false],
    [business, { ...business, businessInfo: { registrationNumber: "R-2" } }, false],
    [business, { ...business, businessInfo: info }, true],
    [{ ...business, businessInfo: { taxId: "***1" } }, { ...business, businessInfo: { taxId: "***1" } }, false],
    [{ ...business, businessInfo: { taxId: "***1" } }, { ...business, businessInfo: info }, true],
  ])("that a number is new: %j, %j: %s", (stored, request, expected) => {
    expect(hasNewNumber(customerWith(stored), request)).toBe(expected)
  })
})

describe("a new customer", () => {
  const created = (request: Partial<CustomerCreation> = {}, platform: Partial<Platform> = {}, more = {}) =>
    createCustomer(
      "Customer:7",
      { customerType: "INDIVIDUAL", ...request } as CustomerCreation,
      settings,
    )({ platform: platformWith(platform), checkStatus: "UNVERIFIED", rootId: undefined }, contextOf(more))
  const accountsOf = (decision: ReturnType<typeof created>) => writtenTo(changesOf(decision), "InternalAccount").length

  it("has its own names, the currencies of its platform and accounts", () => {
    const decision = created()
    expect(writtenTo(changesOf(decision), "Customer")).toEqual([
      {
        platformCustomerId: "7",
        customerType: "INDIVIDUAL",
        checkStatus: "UNVERIFIED",
        umaAddress: "$7@example.com",
        currencies: ["USD"],
        isDeleted: false,
      },
    ])
    expect(accountsOf(decision)).toBe(1)
    expect(changesOf(decision).guards).toEqual([{ kind: "Platform", id: "PlatformConfig:1", version: 1 }])
  })

  it.each<[Partial<Platform>, Partial<CustomerCreation>, boolean]>([
    [{}, {}, true],
    [{}, consentTo("2"), true],
    [unregulated, {}, false],
    [unregulated, consentTo("1"), true],
  ])("of a platform with %j and a request with %j has accounts: %s", (platform, request, hasAccounts) => {
    const decision = created(request, platform)
    expect(accountsOf(decision)).toBe(hasAccounts ? 1 : 0)
    expect(writtenTo(changesOf(decision), "Customer")).toMatchObject([hasAccounts ? {} : { awaitsTerms: true }])
    if (hasAccounts) expect(writtenTo(changesOf(decision), "Customer")[0]).not.toHaveProperty("awaitsTerms")
  })

  it.each<[string, Partial<CustomerCreation>, ReadonlyArray<CommitRejection>, object]>([
    ["a currency that the platform lacks", { currencies: ["EUR"] }, [], { code: "INVALID_INPUT" }],
    ["an address of another domain", { umaAddress: "$ada@other.example" }, [], { code: "INVALID_UMA_ADDRESS" }],
    ["unknown terms", consentTo("3"), [], { code: "END_USER_TERMS_VERSION_NOT_FOUND", details: { version: "2" } }],
    ["an address that another has", {}, [taken("uma:$ada@example.com")], { code: "UMA_ADDRESS_EXISTS" }],
    [
      "an id that another has",
      {},
      [taken("customer:PlatformConfig:1:ada")],
      { code: "CONFLICT", details: { field: "platformCustomerId" } },
    ],
  ])("is refused for %s", (_, request, rejections, refusal) => {
    const decision = created(request, {}, { rejections })
    expect(decision).toMatchObject({ _tag: "Refuse", refusal })
    expect(decision.changes).toEqual({})
  })
})

describe("an update of a customer", () => {
  const updated = (
    request: Partial<CustomerUpdateRequest>,
    stored: Partial<Customer> = {},
    platform: Partial<Platform> = {},
    more = {},
  ) =>
    updateCustomer({ customerType: "INDIVIDUAL", ...request } as CustomerUpdateRequest, settings)(
      {
        customer: customerWith(stored),
        owners: [],
        platform: platformWith(platform),
        rootId: undefined,
        tie: undefined,
        dependents: undefined,
      },
      contextOf(more),
    )

  it.each<[string, Partial<CustomerUpdateRequest>, Partial<Platform>, string]>([
    ["another type", { customerType: "BUSINESS" }, {}, "INVALID_INPUT"],
    ["a new address of another domain", { umaAddress: "$a@other.example" }, {}, "INVALID_UMA_ADDRESS"],
    ["unknown terms", consentTo("9"), {}, "END_USER_TERMS_VERSION_NOT_FOUND"],
  ])("to %s is refused", (_, request, platform, code) => {
    const decision = updated(request, {}, platform)
    expect(decision).toMatchObject({ _tag: "Refuse", refusal: { code } })
    expect(decision.changes).toEqual({})
  })

  it("keeps the address that it has, also after its platform moved to another domain", () => {
    const decision = updated({ umaAddress: ada.umaAddress }, {}, { umaDomain: "moved.example" })
    expect(writtenTo(changesOf(decision), "Customer")).toEqual([ada])
  })

  it.each<[string, Partial<Customer>, Partial<CustomerUpdateRequest>, Partial<Platform>, boolean, boolean]>([
    ["has accounts already", {}, consentTo("2"), unregulated, false, false],
    ["awaits the terms, and accepts them", { awaitsTerms: true }, consentTo("2"), unregulated, true, false],
    ["awaits the terms still", { awaitsTerms: true }, { fullName: "Ada" }, unregulated, false, true],
    ["awaits terms that its platform no longer needs", { awaitsTerms: true }, { fullName: "Ada" }, {}, true, false],
  ])("of a customer who %s", (_, stored, request, platform, opens, awaits) => {
    const changes = changesOf(updated(request, stored, platform))
    expect(writtenTo(changes, "InternalAccount")).toHaveLength(opens ? 1 : 0)
    expect(writtenTo(changes, "Customer")).toHaveLength(1)
    expect(Object.hasOwn(writtenTo(changes, "Customer")[0] ?? {}, "awaitsTerms")).toBe(awaits)
  })

  it("opens the wallet of a customer who accepts the terms for the e-mail address that the customer has", () => {
    const [currency] = creation.platform.data.supportedCurrencies
    if (currency === undefined) throw new Error("the platform has no currency")
    const supportedCurrencies = [{ ...currency, currencyCode: "USDB" as const }]
    const awaiting = { awaitsTerms: true, email: "ada@example.com" } as const
    const changes = changesOf(updated(consentTo("2"), awaiting, { ...unregulated, supportedCurrencies }))
    expect(writtenTo(changes, "Credential")).toMatchObject([{ nickname: "ada@example.com" }])
  })

  it("asserts that no credential was added where a contact changes that none is tied to", () => {
    const customer = customerWith()
    const facts = { customer, owners: [], platform: platformWith(), rootId: undefined, tie: undefined }
    const decided = (dependents: number | undefined) =>
      changesOf(
        updateCustomer({ customerType: "INDIVIDUAL", email: "ada@example.com" }, settings)(
          { ...facts, dependents },
          contextOf(),
        ),
      ).counters ?? []
    expect(decided(undefined)).toEqual([])
    expect(decided(3)).toEqual([expect.objectContaining({ delta: 0, expected: 3 })])
  })
})

describe("the confirmation of a contact", () => {
  const eu = { region: "EU", email: "ada@example.com", contactVerification: { email: "PENDING" } } as const
  const loaded = { owners: [], counterKey: "counter", wrongCodesMax: 5 }
  const confirmed = (wrongCodes: number, isRightCode: boolean, data: Partial<Customer> = eu) =>
    confirmContact("email", ["EU"])({ ...loaded, customer: customerWith(data), wrongCodes, isRightCode }, contextOf())

  it.each<[Partial<Customer>, string | undefined]>([
    [{}, "NOT_REQUIRED"],
    [{ region: "US", email: "ada@example.com" }, "NOT_REQUIRED"],
    [{ region: "EU" }, "NO_CONTACT"],
    [{ region: "EU", phoneNumber: "+15550001" }, "NO_CONTACT"],
    [{ ...eu, contactVerification: { email: "VERIFIED" } }, "ALREADY_VERIFIED"],
    [{ ...eu, contactVerification: { phone: "VERIFIED" } }, undefined],
    [eu, undefined],
  ])("of %j is refused for %s", (data, reason) => {
    expect(confirmationRefusal(customerWith(data), "email", ["EU"])?.details?.["reason"]).toBe(reason)
    const decision = sendCode("email", ["EU"])({ customer: customerWith(data) })
    expect(decision).toMatchObject(
      reason === undefined ? { status: 204 } : { refusal: { code: "CONFLICT", details: { reason } } },
    )
    expect(changesOf(decision).codeSends?.length ?? 0).toBe(reason === undefined ? 1 : 0)
    for (const isRight of [true, false]) {
      const after = confirmed(0, isRight, data)
      if (reason !== undefined) expect(after).toMatchObject({ refusal: { details: { reason } }, changes: {} })
    }
  })

  it("counts a wrong code up to the limit, and looks at none beyond it", () => {
    for (const wrongCodes of [0, 4]) {
      const wrong = confirmed(wrongCodes, false)
      expect(wrong).toMatchObject({ _tag: "Refuse", refusal: { code: "INVALID_INPUT" } })
      expect(changesOf(wrong).counters).toEqual([{ key: "counter", delta: 1, max: 5 }])
      expect(changesOf(wrong).guards).toEqual([{ kind: "Customer", id: "Customer:1", version: 1 }])
      const right = confirmed(wrongCodes, true)
      expect(right).toMatchObject({ _tag: "Answer", status: 200 })
      expect(changesOf(right).counters).toEqual([{ key: "counter", delta: 0, expected: wrongCodes }])
      expect(writtenTo(changesOf(right), "Customer")).toEqual([
        { ...ada, ...eu, contactVerification: { email: "VERIFIED" } },
      ])
    }
    for (const wrongCodes of [5, 6]) {
      for (const isRight of [true, false]) {
        const decision = confirmed(wrongCodes, isRight)
        expect(decision).toMatchObject({ refusal: { code: "RATE_LIMITED", details: { limit: 5 } } })
        expect(decision.changes).toEqual({})
      }
    }
  })

  it("keeps what is known of the other contact", () => {
    const both = {
      ...eu,
      phoneNumber: "+15550001",
      contactVerification: { email: "PENDING", phone: "VERIFIED" },
    } as const
    expect(writtenTo(changesOf(confirmed(0, true, both)), "Customer")).toMatchObject([
      { contactVerification: { email: "VERIFIED", phone: "VERIFIED" } },
    ])
  })
})

describe("the end of a customer's access", () => {
  const agentOf = (id: string, tokens: Stored<"Agent">["data"]["tokens"]) =>
    ({ ...dated, kind: "Agent", id, data: { isConnected: tokens.length > 0, tokens } }) as Stored<"Agent">
  const token = {} as Stored<"Agent">["data"]["tokens"][number]
  const profileOf = (data: Partial<Stored<"ScaProfile">["data"]>): Stored<"ScaProfile"> => ({
    ...dated,
    kind: "ScaProfile",
    id: "Customer:1",
    data: { ...emptyProfile, ...data },
  })
  const none = { customer: customerWith(), sessions: [], profile: undefined, agents: [], deviceCodes: [] }

  it("ends the session of the strong authentication, and keeps what else the profile has", () => {
    const ended = (profile: Stored<"ScaProfile"> | undefined) =>
      writtenTo(changesOf(endCustomerAccess({ ...none, profile }, contextOf())), "ScaProfile")
    expect(ended(undefined)).toEqual([])
    expect(ended(profileOf({ failedAttempts: 2 }))).toEqual([])
    expect(ended(profileOf({ failedAttempts: 2, sessionExpiresAt: now }))).toEqual([
      { ...emptyProfile, failedAttempts: 2 },
    ])
  })

  it("ends sessions, tokens and device codes, and says how many", () => {
    const issued = { agentId: "Agent:1", codeHash: "hash", expiresAt: now, status: "ISSUED" } as const
    const code: Stored<"DeviceCode"> = { ...dated, kind: "DeviceCode", id: "DeviceCode:1", data: issued }
    const decision = endCustomerAccess(
      {
        ...none,
        sessions: [sessionOf(), sessionOf({}, "Session:2")],
        agents: [agentOf("Agent:1", [token]), agentOf("Agent:2", [])],
        deviceCodes: [code],
      },
      contextOf(),
    )
    const counts = { sessionsEnded: 2, agentTokensEnded: 1, deviceCodesEnded: 1 }
    expect(decision).toMatchObject({ status: 200, body: { customerId: "Customer:1", ...counts } })
    const changes = changesOf(decision)
    expect(writtenTo(changes, "Session").map((data) => "status" in data && data.status)).toEqual(["REVOKED", "REVOKED"])
    expect(writtenTo(changes, "Agent")).toEqual([{ isConnected: false, tokens: [] }])
    expect(writtenTo(changes, "DeviceCode")).toEqual([{ ...issued, status: "INVALIDATED" }])
    expect(writtenTo(changes, "AuditRecord")).toMatchObject([{ details: counts }])
  })
})
