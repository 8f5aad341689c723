/** The rules of a transfer-out: their precedence, and both sides of each rule's boundary. */

import type { Customer, ExternalAccount, ExternalAccountStatus, InternalAccount } from "@countersign/core/models"
import { expect, it } from "vitest"
import { SenderInformation } from "../../../packages/core/src/model/transaction/SenderInformation.ts"
import * as Rules from "../../../packages/core/src/model/transaction/TransferOutRules.ts"
import * as TransferRules from "../../../packages/core/src/model/transaction/TransferRules.ts"
import { provePrecedence, proveRow } from "../../../packages/test/src/proof/RulesProof.ts"

const source: InternalAccount = { type: "INTERNAL_FIAT", status: "ACTIVE", currency: "GBP" }
const business = { beneficiaryType: "BUSINESS", legalName: "Engines Ltd" }
const destination: ExternalAccount = {
  currency: "GBP",
  status: "ACTIVE",
  defaultUmaDepositAccount: false,
  accountInfo: { accountType: "USD_ACCOUNT", beneficiary: business },
  isDeleted: false,
}
const customer: Customer = {
  platformCustomerId: "engines",
  customerType: "BUSINESS",
  checkStatus: "APPROVED",
  currencies: ["GBP"],
  umaAddress: "$engines@example.com",
  businessInfo: { registrationNumber: "123" },
  isDeleted: false,
}
const sound: Rules.TransferOutFacts = {
  requested: 100,
  source,
  destination,
  isOwnersAccount: true,
  customer,
  party: customer,
  rail: undefined,
}

const unregistered: Customer = { ...customer, businessInfo: {} }

provePrecedence(Rules.TransferOutRules, {
  broken: {
    requested: 0,
    source: undefined,
    destination: undefined,
    isOwnersAccount: false,
    customer: { ...unregistered, checkStatus: "REJECTED" },
    party: { ...unregistered, awaitsTerms: true },
    rail: "PIX",
  },
  masked: {
    SAME_CURRENCY: "needs both accounts, which earlier rows miss",
    SOURCE_NOT_A_WALLET: "needs the source, which an earlier row misses",
    SOURCE_ACTIVE: "needs the source, which an earlier row misses",
    DESTINATION_ACTIVE: "needs the destination, which an earlier row misses",
    RAIL_SUPPORTED: "needs the destination, which an earlier row misses",
    SENDER_INFORMATION: "needs the destination, which an earlier row misses",
  },
  steps: [
    ["AMOUNT_POSITIVE", { requested: 1 }, { code: "INVALID_AMOUNT" }],
    [
      "SOURCE_EXISTS",
      { source: { type: "EMBEDDED_WALLET", status: "FROZEN", currency: "USD" } },
      { code: "REFERENCE_NOT_FOUND", message: "No such internal account." },
    ],
    [
      "DESTINATION_EXISTS",
      { destination: { ...destination, status: "UNVERIFIED" } },
      { code: "REFERENCE_NOT_FOUND", message: "No such external account." },
    ],
    ["SAME_OWNER", { isOwnersAccount: true }, { details: { reason: "ACCOUNTS_OF_DIFFERENT_CUSTOMERS" } }],
    ["TERMS_ACCEPTED", { party: undefined }, { code: "END_USER_TERMS_NOT_ACCEPTED" }],
    ["CUSTOMER_READY", { customer: unregistered }, { code: "USER_NOT_READY", details: { status: "REJECTED" } }],
    [
      "SAME_CURRENCY",
      { source: { type: "EMBEDDED_WALLET", status: "FROZEN", currency: "GBP" } },
      { code: "INVALID_CURRENCY" },
    ],
    [
      "SOURCE_NOT_A_WALLET",
      { source: { ...source, status: "FROZEN" } },
      { code: "INVALID_INPUT", details: { reason: "USE_QUOTE" } },
    ],
    ["SOURCE_ACTIVE", { source }, { code: "INVALID_INPUT", details: { reason: "SOURCE_NOT_ACTIVE" } }],
    [
      "DESTINATION_ACTIVE",
      { destination },
      {
        code: "EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED",
        details: { reason: "DESTINATION_NOT_ACTIVE", status: "UNVERIFIED" },
      },
    ],
    [
      "RAIL_SUPPORTED",
      { rail: "WIRE" },
      {
        code: "INVALID_INPUT",
        details: {
          errors: [{ field: "destination.paymentRail", constraint: { enum: ["ACH", "WIRE", "RTP", "FEDNOW"] } }],
        },
      },
    ],
    [
      "SENDER_INFORMATION",
      { customer },
      {
        code: "MISSING_MANDATORY_USER_INFO",
        details: { errors: [{ field: "customer.businessInfo.registrationNumber" }] },
      },
    ],
  ],
})

proveRow(Rules.TransferOutRules, "AMOUNT_POSITIVE", [
  ["one unit", { ...sound, requested: 1 }, "holds"],
  ["zero", { ...sound, requested: 0 }, "fails"],
  ["negative", { ...sound, requested: -1 }, "fails"],
  ["absent: the whole balance", { ...sound, requested: undefined }, "holds"],
])
proveRow(Rules.TransferOutRules, "CUSTOMER_READY", [
  ["approved", sound, "holds"],
  ["the platform itself", { ...sound, customer: undefined }, "holds"],
  ["unverified", { ...sound, customer: { ...customer, checkStatus: "UNVERIFIED" } }, "fails"],
  ["on hold", { ...sound, customer: { ...customer, checkStatus: "HOLD" } }, "fails"],
])
const withStatus = (status: ExternalAccountStatus) => ({ ...sound, destination: { ...destination, status } })
const refusedWith = (status: ExternalAccountStatus, code: string) =>
  [
    `a destination that is ${status}`,
    withStatus(status),
    { answer: { code, details: { reason: "DESTINATION_NOT_ACTIVE", status } } },
  ] as const
proveRow(Rules.TransferOutRules, "DESTINATION_ACTIVE", [
  ["active", withStatus("ACTIVE"), "holds"],
  ...(["PENDING", "UNDER_REVIEW", "INACTIVE"] as const).map((status) => refusedWith(status, "INVALID_BANK_ACCOUNT")),
  ...(["PENDING_OWNERSHIP_VERIFICATION", "UNVERIFIED"] as const).map((status) =>
    refusedWith(status, "EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED"),
  ),
])
proveRow(Rules.TransferOutRules, "RAIL_SUPPORTED", [
  ["no rail in the request", sound, "holds"],
  ["its last rail", { ...sound, rail: "FEDNOW" }, "holds"],
  ["a rail of other accounts", { ...sound, rail: "SEPA" }, "fails"],
])
proveRow(Rules.TransferOutRules, "SENDER_INFORMATION", [
  ["a registered business", sound, "holds"],
  ["the platform itself", { ...sound, customer: undefined }, "holds"],
  ["an unregistered business", { ...sound, customer: unregistered }, "fails"],
  [
    "a blank registration number",
    { ...sound, customer: { ...customer, businessInfo: { registrationNumber: " " } } },
    "fails",
  ],
  ["no business data at all", { ...sound, customer: (({ businessInfo: _, ...rest }) => rest)(customer) }, "fails"],
  ["an individual sender", { ...sound, customer: { ...unregistered, customerType: "INDIVIDUAL" } }, "holds"],
  [
    "a business that pays an individual",
    {
      ...sound,
      customer: unregistered,
      destination: { ...destination, accountInfo: { accountType: "USD_ACCOUNT", beneficiary: { fullName: "Ada" } } },
    },
    "holds",
  ],
])

it("refuses a lack of funds with the same message to every caller", () => {
  expect(TransferRules.shortOfFunds).toEqual({
    code: "INVALID_INPUT",
    message: "The source does not hold this amount.",
    details: { reason: "INSUFFICIENT_FUNDS" },
  })
})

const twelve = ["GBP", "INR", "BRL", "DKK", "PHP", "HKD", "IDR", "MYR", "SGD", "THB", "VND", "AED"] as const

// Proves: RES-BENE-19
it.each(twelve)("requires a registration number from a business that sends %s to a business", (currency) => {
  const facts = { ...sound, customer: unregistered, source: { ...source, currency } }
  const refused = Rules.TransferOutRules.first({ ...facts, destination: { ...destination, currency } })
  expect(refused).toMatchObject({ rule: "SENDER_INFORMATION", refusal: { code: "MISSING_MANDATORY_USER_INFO" } })
})

it("requires no registration number in any other currency", () => {
  expect(SenderInformation.keys).toEqual([...twelve])
  const usd = { source: { ...source, currency: "USD" }, destination: { ...destination, currency: "USD" } } as const
  expect(Rules.TransferOutRules.first({ ...sound, customer: unregistered, ...usd })).toBeUndefined()
})
