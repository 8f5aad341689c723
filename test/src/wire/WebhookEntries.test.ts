/**
 * Holds the webhooks of the document against the table of the description: names, operation ids, schemas and types.
 * Source: wire contract areas 2.6.
 */
import { OpenApiDocument } from "@countersign/adapter-http"
import { Api, webhookEntries, webhookTypes } from "@countersign/client/api"
import { EventTypes } from "@countersign/core/models"
import { describe, expect, it } from "vitest"

const { at, isObject, list, text } = OpenApiDocument
const document = OpenApiDocument.make(Api, "/2025-10-13")

/** Entry, operation id, schema, number of types, statuses. */
const described = [
  ["outgoing-payment", "outgoingPaymentWebhook", "OutgoingPaymentWebhook", 9, "200 400 401 409"],
  ["incoming-payment", "incomingPaymentWebhook", "IncomingPaymentWebhook", 6, "200 202 400 401 403 409 422"],
  ["customer-update", "customerStatusWebhook", "CustomerWebhook", 6, "200 400 401 409"],
  ["verification-update", "verificationStatusWebhook", "VerificationWebhook", 5, "200 400 401 409"],
  ["external-account-status", "externalAccountStatusWebhook", "ExternalAccountStatusWebhook", 1, "200 400 401 409"],
  ["internal-account-status", "internalAccountStatusWebhook", "InternalAccountStatusWebhook", 3, "200 400 401 409"],
  ["invitation-claimed", "invitationClaimedWebhook", "InvitationClaimedWebhook", 1, "200 400 401 409"],
  ["bulk-upload", "bulkUploadWebhook", "BulkUploadWebhook", 2, "200 400 401 409"],
  ["agent-action", "agentActionWebhook", "AgentActionWebhook", 1, "200 401 409"],
  ["card-state-change", "cardStateChangeWebhook", "CardStateChangeWebhook", 1, "200 400 401 409"],
  [
    "card-funding-source-change",
    "cardFundingSourceChangeWebhook",
    "CardFundingSourceChangeWebhook",
    1,
    "200 400 401 409",
  ],
  ["card-transaction", "cardTransactionWebhook", "CardTransactionWebhook", 5, "200 400 401 409"],
  ["test-webhook", "testWebhook", "TestWebhookRequest", 1, "200 400 401 409"],
] as const

const operationOf = (name: string) => at(document, "webhooks", name, "post")

describe("the webhooks of the document", () => {
  it.each(described)("have %s as the description has it", (name, operationId, schema, count, statuses) => {
    const operation = operationOf(name)
    expect(at(operation, "operationId")).toBe(operationId)
    expect(at(operation, "requestBody", "required")).toBe(true)
    expect(at(operation, "requestBody", "content", "application/json", "schema")).toEqual({
      $ref: `#/components/schemas/${schema}`,
    })
    const body = at(document, "components", "schemas", schema)
    expect(list(at(body, "properties", "type", "enum"))).toHaveLength(count)
    expect(list(at(body, "required"))).toEqual(expect.arrayContaining(["id", "type", "timestamp"]))
    const responses = at(operation, "responses")
    expect(
      Object.keys(isObject(responses) ? responses : {})
        .toSorted()
        .join(" "),
    ).toBe(statuses)
    expect(at(operation, "security")).toEqual([{ WebhookSignature: [] }])
    expect(at(operation, "tags")).toEqual(["Webhooks"])
  })

  it("are the thirteen of the description and those marked as ours", () => {
    const extensions = Object.keys(webhookEntries).filter((name) => at(operationOf(name), "x-extension") === true)
    expect(extensions).toEqual(["endpoint-verification"])
    expect(Object.keys(webhookEntries).toSorted()).toEqual(
      [...described.map(([name]) => name), ...extensions].toSorted(),
    )
    expect(webhookTypes).toHaveLength(43)
  })

  it("have every type of event once", () => {
    const types = Object.values(webhookEntries).flatMap((entry) => entry.types)
    expect(types.toSorted()).toEqual(EventTypes.keys.toSorted())
  })

  it("declare each type of event in the body of one webhook, and name it in the description", () => {
    const webhooks = Object.keys(webhookEntries).map((name) => {
      const operation = operationOf(name)
      const ref = text(at(operation, "requestBody", "content", "application/json", "schema", "$ref"))
      const body = at(document, "components", "schemas", ref.split("/").at(-1) ?? "")
      return { description: text(at(operation, "description")), types: list(at(body, "properties", "type", "enum")) }
    })
    for (const type of EventTypes.keys) {
      const declaring = webhooks.filter(({ types }) => types.includes(type))
      expect([type, declaring.length, declaring[0]?.description.includes(`\`${type}\``)]).toEqual([type, 1, true])
    }
  })

  it("name the header of the signature", () => {
    const scheme = at(document, "components", "securitySchemes", "WebhookSignature")
    expect([at(scheme, "type"), at(scheme, "in"), text(at(scheme, "name"))]).toEqual([
      "apiKey",
      "header",
      "X-Service-Signature",
    ])
  })
})
