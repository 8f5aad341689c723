/** The rules of a transfer-in: their precedence, and both sides of each rule's boundary. */
import { amountMax, type Customer, type ExternalAccount, type InternalAccount } from "@countersign/core/models"
import * as Rules from "../../../packages/core/src/model/transaction/TransferInRules.ts"
import { provePrecedence, proveRow } from "../../../packages/test/src/proof/RulesProof.ts"

const source: ExternalAccount = {
  currency: "USD",
  status: "ACTIVE",
  defaultUmaDepositAccount: false,
  accountInfo: { accountType: "USD_ACCOUNT" },
  isDeleted: false,
}
const destination: InternalAccount = { type: "INTERNAL_FIAT", status: "ACTIVE", currency: "USD" }

const unready: Customer = {
  platformCustomerId: "ada",
  customerType: "INDIVIDUAL",
  checkStatus: "PENDING",
  currencies: ["USD"],
  umaAddress: "$ada@example.com",
  isDeleted: false,
}

const sound: Rules.TransferInFacts = {
  requested: 100,
  source,
  destination,
  isOwnersAccount: true,
  customer: undefined,
  party: undefined,
  inspection: { pullable: true, reported: 500, funds: "unknown" },
  destinationBalance: 0,
}

provePrecedence(Rules.TransferInRules, {
  broken: {
    requested: -1,
    source: undefined,
    destination: undefined,
    isOwnersAccount: false,
    customer: unready,
    party: { ...unready, awaitsTerms: true },
    inspection: { pullable: false, funds: "unknown" },
    destinationBalance: amountMax,
  },
  masked: {
    SAME_CURRENCY: "needs both accounts, which earlier rows miss",
    SOURCE_ACTIVE: "needs the source, which an earlier row misses",
    DESTINATION_ACTIVE: "needs the destination, which an earlier row misses",
    BALANCE_IN_RANGE: "no amount, no sum beyond the range",
  },
  steps: [
    [
      "AMOUNT_POSITIVE",
      { requested: undefined },
      { code: "INVALID_AMOUNT", details: { errors: [{ field: "amount", constraint: { minimum: 1 } }] } },
    ],
    [
      "SOURCE_EXISTS",
      { source: { ...source, status: "PENDING", currency: "EUR" } },
      {
        code: "REFERENCE_NOT_FOUND",
        message: "No such external account.",
      },
    ],
    [
      "DESTINATION_EXISTS",
      { destination: { ...destination, status: "FROZEN" } },
      {
        code: "REFERENCE_NOT_FOUND",
        message: "No such internal account.",
      },
    ],
    [
      "SAME_OWNER",
      { isOwnersAccount: true },
      { code: "INVALID_INPUT", details: { reason: "ACCOUNTS_OF_DIFFERENT_CUSTOMERS" } },
    ],
    ["TERMS_ACCEPTED", { party: undefined }, { code: "END_USER_TERMS_NOT_ACCEPTED" }],
    ["CUSTOMER_READY", { customer: undefined }, { code: "USER_NOT_READY", details: { status: "PENDING" } }],
    ["SAME_CURRENCY", { source: { ...source, status: "PENDING" } }, { code: "INVALID_CURRENCY" }],
    ["SOURCE_ACTIVE", { source }, { code: "INVALID_BANK_ACCOUNT", details: { status: "PENDING" } }],
    [
      "SOURCE_PULLABLE",
      { inspection: { pullable: true, funds: "unknown" } },
      { code: "INVALID_INPUT", details: { reason: "SOURCE_NOT_PULLABLE" } },
    ],
    ["DESTINATION_ACTIVE", { destination }, { code: "INVALID_INPUT", details: { reason: "DESTINATION_NOT_ACTIVE" } }],
    ["AMOUNT_KNOWN", { requested: 1 }, { code: "INVALID_AMOUNT", details: { reason: "AMOUNT_REQUIRED" } }],
    ["BALANCE_IN_RANGE", { destinationBalance: 0 }, { code: "AMOUNT_OUT_OF_RANGE" }],
  ],
})

proveRow(Rules.TransferInRules, "AMOUNT_POSITIVE", [
  ["one unit", { ...sound, requested: 1 }, "holds"],
  ["zero", { ...sound, requested: 0 }, { answer: { code: "INVALID_AMOUNT" } }],
  ["negative", { ...sound, requested: -1 }, "fails"],
  ["absent", { ...sound, requested: undefined }, "holds"],
])
proveRow(Rules.TransferInRules, "AMOUNT_KNOWN", [
  ["reported by the rail", { ...sound, requested: undefined }, "holds"],
  [
    "neither requested nor reported",
    { ...sound, requested: undefined, inspection: { pullable: true, funds: "unknown" } },
    "fails",
  ],
  ["not requested, without an answer of the rail", { ...sound, requested: undefined, inspection: undefined }, "fails"],
])
proveRow(Rules.TransferInRules, "SOURCE_PULLABLE", [
  ["a source that the rail can pull", sound, "holds"],
  ["an unknown source without an answer of the rail", { ...sound, inspection: undefined }, "holds"],
  ["a source that the rail cannot pull", { ...sound, inspection: { pullable: false, funds: "unknown" } }, "fails"],
])
proveRow(Rules.TransferInRules, "SAME_CURRENCY", [
  ["two accounts of one currency", sound, "holds"],
  ["an unknown source, whatever the destination", { ...sound, source: undefined }, "holds"],
  ["an unknown destination, whatever the source", { ...sound, destination: undefined }, "holds"],
  [
    "two currencies",
    { ...sound, source: { ...source, currency: "EUR" } },
    { answer: { details: { sourceCurrency: "EUR", destinationCurrency: "USD" } } },
  ],
])
proveRow(Rules.TransferInRules, "BALANCE_IN_RANGE", [
  ["the largest exact sum", { ...sound, requested: 1, destinationBalance: amountMax - 1 }, "holds"],
  [
    "one above the largest exact sum",
    { ...sound, requested: 2, destinationBalance: amountMax - 1 },
    { answer: { code: "AMOUNT_OUT_OF_RANGE" } },
  ],
])
// Proves: STATE-OTHER-02
proveRow(Rules.TransferInRules, "SOURCE_ACTIVE", [
  ["active", sound, "holds"],
  ...(["PENDING", "UNDER_REVIEW", "INACTIVE"] as const).map(
    (status) =>
      [
        `a source that is ${status}`,
        { ...sound, source: { ...source, status } },
        { answer: { code: "INVALID_BANK_ACCOUNT", details: { reason: "SOURCE_NOT_ACTIVE", status } } },
      ] as const,
  ),
  ...(["PENDING_OWNERSHIP_VERIFICATION", "UNVERIFIED"] as const).map(
    (status) =>
      [
        `a source that is ${status}`,
        { ...sound, source: { ...source, status } },
        { answer: { code: "EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED", details: { status } } },
      ] as const,
  ),
])
