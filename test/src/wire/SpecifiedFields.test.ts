/**
 * Compares the specified records with the document field by field. `Contract.test.ts` compares responses with the document.
 * Spec: Resources and their fields; Errors.
 */

import { OpenApiDocument } from "@countersign/adapter-http"
import { Api } from "@countersign/client/api"
import { expect, it } from "vitest"

const { at, isObject, list, text } = OpenApiDocument
type Json = OpenApiDocument.Json
const schemas = at(OpenApiDocument.make(Api, "/2025-10-13"), "components", "schemas")

/** Returns a short name of a schema's shape. */
const shapeOf = (schema: Json | undefined): string => {
  const reference = text(at(schema, "$ref")).split("/").at(-1)
  const id = /^\^([A-Z][A-Za-z]+):/u.exec(text(at(schema, "pattern")))?.[1]
  const from = at(schema, "minimum")
  if (reference !== undefined && reference !== "") return reference
  if (at(schema, "enum") !== undefined) return list(at(schema, "enum")).join(" ")
  if (id !== undefined) return `id of ${id}`
  if (at(schema, "type") === "array") return `list of ${shapeOf(at(schema, "items"))}`
  if (at(schema, "format") === "date-time") return "date-time"
  return `${text(at(schema, "type"))}${from === undefined ? "" : ` from ${from}`}`
}

type Row = readonly [field: string, shape: string, presence?: "optional"]

/** Returns the differences between a record of the document and these fields. */
const problemsOf = (record: Json | undefined, rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const required = list(at(record, "required")).map(text)
  return rows.flatMap(([field, shape, presence]) => {
    const found = at(record, "properties", field)
    if (found === undefined) return [`${field} is missing`]
    return [
      ...(shapeOf(found) === shape ? [] : [`${field} is ${shapeOf(found)}`]),
      ...(required.includes(field) === (presence === undefined) ? [] : [`${field} is not ${presence ?? "required"}`]),
    ]
  })
}

const proveFields = (name: string, rows: ReadonlyArray<Row>) =>
  it(`${name} has its specified fields`, () => {
    expect(problemsOf(at(schemas, name), rows)).toEqual([])
  })

// Proves: RES-ACTION-02, RES-ACTION-03, RES-ACTION-04, RES-ACTION-05, RES-ACTION-06, RES-ACTION-07
proveFields("AgentAction", [
  ["id", "id of AgentAction"],
  ["agentId", "id of Agent"],
  ["customerId", "id of Customer"],
  ["platformCustomerId", "string"],
  ["status", "PENDING_APPROVAL APPROVED REJECTED FAILED"],
  ["type", "EXECUTE_QUOTE TRANSFER_OUT TRANSFER_IN"],
  ["quote", "Quote", "optional"],
  ["transferDetails", "AgentTransferDetails", "optional"],
  ["transaction", "TransactionOneOf", "optional"],
  ["rejectionReason", "string", "optional"],
  ["createdAt", "date-time"],
  ["updatedAt", "date-time"],
])

// Proves: RES-TRANSFER-01, RES-TRANSFER-02, RES-TRANSFER-03
proveFields("AgentTransferDetails", [
  ["amount", "integer from 1"],
  ["currency", "CurrencyCode"],
  ["sourceAccountId", "string"],
  ["destinationAccountId", "string"],
])

// Proves: RES-QUOTE-01, RES-QUOTE-02, RES-QUOTE-06, RES-QUOTE-08, RES-QUOTE-09, RES-QUOTE-10, RES-QUOTE-11
// Proves: RES-QUOTE-12, RES-QUOTE-15, RES-QUOTE-18
proveFields("Quote", [
  ["id", "id of Quote"],
  ["status", "PENDING PENDING_AUTHORIZATION PROCESSING COMPLETED FAILED EXPIRED"],
  ["createdAt", "date-time"],
  ["expiresAt", "date-time"],
  ["source", "QuoteSource"],
  ["destination", "QuoteDestination"],
  ["sendingCurrency", "Currency"],
  ["receivingCurrency", "Currency"],
  ["totalSendingAmount", "integer from 1"],
  ["totalReceivingAmount", "integer from 1"],
  ["exchangeRate", "number"],
  ["feesIncluded", "integer from 0"],
  ["paymentInstructions", "list of PaymentInstructions", "optional"],
  ["transactionId", "id of Transaction"],
  ["remittanceInformation", "string", "optional"],
  ["counterpartyInformation", "CounterpartyInformation", "optional"],
  ["rateDetails", "OutgoingRateDetails", "optional"],
  ["scaChallenge", "ScaChallenge", "optional"],
])

// Proves: RES-CURRENCY-01, RES-CURRENCY-02, RES-CURRENCY-03, RES-CURRENCY-04
proveFields("Currency", [
  ["code", "CurrencyCode"],
  ["name", "string"],
  ["symbol", "string"],
  ["decimals", "integer from 0"],
])

// Proves: RES-PAYIN-01, RES-PAYIN-02, RES-PAYIN-03
proveFields("PaymentInstructions", [
  ["accountOrWalletInfo", "PaymentAccountOrWalletInfo"],
  ["instructionsNotes", "string", "optional"],
  ["isPlatformAccount", "boolean", "optional"],
])

// PENDING_OWNERSHIP_VERIFICATION and UNVERIFIED are for proofs of ownership (wire contract 2.7).
// Proves: RES-EXT-01, RES-EXT-02, RES-EXT-03, RES-EXT-04, RES-EXT-05
proveFields("ExternalAccount", [
  ["id", "id of ExternalAccount"],
  ["customerId", "id of Customer", "optional"],
  ["status", "PENDING ACTIVE PENDING_OWNERSHIP_VERIFICATION UNVERIFIED UNDER_REVIEW INACTIVE"],
  ["currency", "CurrencyCode"],
  ["platformAccountId", "string", "optional"],
  ["accountInfo", "ExternalAccountInfo"],
  ["createdAt", "date-time"],
])

// Proves: RES-BENE-02
proveFields("IndividualBeneficiaryInfo", [
  ["beneficiaryType", "INDIVIDUAL"],
  ["fullName", "string"],
  ["birthDate", "string", "optional"],
  ["nationality", "string", "optional"],
  ["address", "BeneficiaryAddressInfo", "optional"],
])

// Proves: RES-BENE-08
proveFields("BusinessBeneficiaryInfo", [
  ["beneficiaryType", "BUSINESS"],
  ["businessInfo", "BeneficiaryBusinessInfoShown", "optional"],
  ["address", "BeneficiaryAddressInfo", "optional"],
])

// Proves: RES-BENE-06
proveFields("BeneficiaryBusinessInfoShown", [
  ["legalName", "string", "optional"],
  ["taxId", "string", "optional"],
  ["registrationNumber", "string", "optional"],
])

// Proves: RES-BENE-07, RES-BENE-09
proveFields("BeneficiaryAddressInfo", [
  ["line1", "string"],
  ["city", "string", "optional"],
  ["state", "string", "optional"],
  ["postalCode", "string"],
  ["country", "string"],
])

// Proves: RES-DISC-02, RES-DISC-03, RES-DISC-04
proveFields("Discovery", [
  ["bankName", "string"],
  ["displayName", "string"],
  ["country", "string"],
  ["currency", "string"],
])

// Proves: RES-CARD-01, RES-CARD-02, RES-CARD-03, RES-CARD-04, RES-CARD-06, RES-CARD-10, RES-CARD-11
proveFields("Card", [
  ["id", "id of Card"],
  ["cardholderId", "id of Customer"],
  ["platformCardId", "string"],
  ["form", "VIRTUAL"],
  ["fundingSources", "list of string"],
  ["currency", "CurrencyCode"],
  ["state", "PENDING_KYC PROCESSING ACTIVE FROZEN CLOSED"],
  ["stateReason", "ISSUER_REJECTED CLOSED_BY_PLATFORM CLOSED_BY_SERVICE", "optional"],
  ["last4", "string", "optional"],
  ["expMonth", "integer", "optional"],
  ["expYear", "integer", "optional"],
])

// Proves: RES-CARD-15, RES-CARD-16
proveFields("CardRevealResponse", [
  ["panEmbedUrl", "string"],
  ["expiresAt", "date-time"],
])

// Proves: RES-CRED-03
proveFields("Session", [
  ["id", "id of Session"],
  ["accountId", "id of InternalAccount"],
  ["type", "AuthMethodType"],
  ["nickname", "string"],
  ["createdAt", "date-time"],
  ["updatedAt", "date-time"],
  ["expiresAt", "date-time"],
])

proveFields("AuthSession", [["encryptedSessionSigningKey", "string", "optional"]])

// Proves: RES-CRED-10
proveFields("SignedRequestChallenge", [
  ["payloadToSign", "string"],
  ["requestId", "id of Request"],
  ["expiresAt", "date-time"],
])

// Proves: RES-CRED-11
proveFields("AuthSignedRequestChallenge", [
  ["type", "AuthMethodType"],
  ["payloadToSign", "string"],
  ["requestId", "id of Request"],
  ["expiresAt", "date-time"],
])

// Proves: ERR-BODY-04, ERR-BODY-05
proveFields("Error", [
  ["status", "integer"],
  ["code", "ErrorCode"],
  ["message", "string"],
  ["details", "ErrorDetails", "optional"],
])

// Proves: RES-EXT-06, RES-TX-02, RES-ACTION-14, RES-QUOTE-08, RES-QUOTE-09, RES-CRED-01
it("distinguishes the variants of a record by the specified member", () => {
  const kindsOf = (union: string) => {
    const mapping = at(schemas, union, "discriminator", "mapping")
    return [at(schemas, union, "discriminator", "propertyName"), Object.keys(isObject(mapping) ? mapping : {})]
  }
  expect(kindsOf("TransactionOneOf")).toEqual(["type", ["INCOMING", "OUTGOING", "CARD"]])
  expect(kindsOf("QuoteSource")).toEqual(["sourceType", ["ACCOUNT", "REALTIME_FUNDING"]])
  expect(kindsOf("QuoteDestination")).toEqual(["destinationType", ["ACCOUNT", "UMA_ADDRESS"]])
  expect(kindsOf("BeneficiaryInfo")).toEqual(["beneficiaryType", ["INDIVIDUAL", "BUSINESS"]])
  expect(kindsOf("ExternalAccountInfo")[0]).toBe("accountType")
  expect(shapeOf(at(schemas, "AuthMethodType")).split(" ").toSorted()).toEqual(
    ["EMAIL_OTP", "SMS_OTP", "PASSKEY", "OAUTH"].toSorted(),
  )
})

it("reports a field that is missing, has another shape, or is optional", () => {
  const record = { properties: { id: { type: "string" }, at: { type: "integer", minimum: 1 } }, required: ["at"] }
  expect(
    problemsOf(record, [
      ["id", "string", "optional"],
      ["at", "integer from 1"],
    ]),
  ).toEqual([])
  expect(
    problemsOf(record, [
      ["id", "string"],
      ["at", "integer", "optional"],
      ["name", "string"],
    ]),
  ).toEqual(["id is not required", "at is integer from 1", "at is not optional", "name is missing"])
})
