/**
 * The webhooks as the document lists them: one entry for the events that carry the same resource. The platform's endpoint serves them, and
 * nothing of ours does; they have the form of endpoints so that their bodies and answers are documented like ours.
 * Source: wire contract areas 2.6; wire contract 6.1.
 */
import {
  CounterpartyFieldDefinition,
  ErrorResource,
  EventResources,
  type EventType,
  EventTypes,
  Timestamp,
} from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"

/** Types that the description lists, and that no event of this version has. */
const neverSent: ReadonlyArray<string> = ["VERIFICATION.READY_FOR_VERIFICATION"]
/** Types of our own. */
const additional: ReadonlyArray<EventType> = ["WEBHOOK_ENDPOINT.VERIFICATION"]

/** Every type of the description. */
export const webhookTypes: ReadonlyArray<string> = [
  ...EventTypes.keys.filter((type) => !additional.includes(type)),
  ...neverSent,
].toSorted()

const typesOf = (prefix: string): ReadonlyArray<EventType> =>
  EventTypes.keys.filter((type) => type === prefix || (prefix.endsWith(".") && type.startsWith(prefix)))

const eventId = Schema.String.annotate({
  description: "The same on every redelivery: drop an event whose id you have processed.",
  examples: ["Webhook:00000000-0000-4000-8000-000000000001"],
})

const IncomingPaymentWebhookData = Schema.Struct({
  ...EventResources.get("IncomingTransaction").fields,
  requestedReceiverCustomerInfoFields: Schema.optionalKey(
    Schema.Array(CounterpartyFieldDefinition).annotate({
      description: "What the sender's side needs to know of the receiver; only on `INCOMING_PAYMENT.PENDING` over UMA.",
    }),
  ),
}).annotate({ identifier: "IncomingPaymentWebhookData" })

interface Entry {
  /** The name of the entry, and of the body's schema. */
  readonly operationId: string
  readonly schema: string
  readonly types: ReadonlyArray<EventType>
  readonly data: Schema.Top
  readonly summary: string
  readonly isExtension?: boolean
  /** The error statuses that a receiver may answer with. */
  readonly refusals?: ReadonlyArray<400 | 401 | 409>
}

const entry = (
  operationId: string,
  schema: string,
  prefix: string | ReadonlyArray<EventType>,
  data: Schema.Top,
  summary: string,
  more: Pick<Entry, "isExtension" | "refusals"> = {},
): Entry => ({
  operationId,
  schema,
  types: typeof prefix === "string" ? typesOf(prefix) : prefix,
  data,
  summary,
  ...more,
})

const resource = EventResources.get

/** By the names of the description. */
export const webhookEntries: Readonly<Record<string, Entry>> = {
  "outgoing-payment": entry(
    "outgoingPaymentWebhook",
    "OutgoingPaymentWebhook",
    "OUTGOING_PAYMENT.",
    resource("OutgoingTransaction"),
    "An outgoing payment changed",
  ),
  "incoming-payment": entry(
    "incomingPaymentWebhook",
    "IncomingPaymentWebhook",
    "INCOMING_PAYMENT.",
    IncomingPaymentWebhookData,
    "An incoming payment arrived or changed",
  ),
  "customer-update": entry(
    "customerStatusWebhook",
    "CustomerWebhook",
    "CUSTOMER.",
    resource("Customer"),
    "A customer's check changed",
  ),
  "verification-update": entry(
    "verificationStatusWebhook",
    "VerificationWebhook",
    "VERIFICATION.",
    resource("Verification"),
    "A verification changed",
  ),
  "external-account-status": entry(
    "externalAccountStatusWebhook",
    "ExternalAccountStatusWebhook",
    "EXTERNAL_ACCOUNT.",
    resource("ExternalAccount"),
    "An external account changed",
  ),
  "internal-account-status": entry(
    "internalAccountStatusWebhook",
    "InternalAccountStatusWebhook",
    "INTERNAL_ACCOUNT.",
    resource("InternalAccount"),
    "An internal account changed",
  ),
  "invitation-claimed": entry(
    "invitationClaimedWebhook",
    "InvitationClaimedWebhook",
    "INVITATION.",
    resource("UmaInvitation"),
    "An invitation was claimed",
  ),
  "bulk-upload": entry(
    "bulkUploadWebhook",
    "BulkUploadWebhook",
    "BULK_UPLOAD.",
    resource("BulkImport"),
    "An import of customers ended",
  ),
  "agent-action": entry(
    "agentActionWebhook",
    "AgentActionWebhook",
    "AGENT_ACTION.",
    resource("AgentAction"),
    "An agent's action waits for approval",
    { refusals: [401, 409] },
  ),
  "card-state-change": entry(
    "cardStateChangeWebhook",
    "CardStateChangeWebhook",
    ["CARD.STATE_CHANGE"],
    resource("Card"),
    "A card changed its state",
  ),
  "card-funding-source-change": entry(
    "cardFundingSourceChangeWebhook",
    "CardFundingSourceChangeWebhook",
    ["CARD.FUNDING_SOURCE_CHANGE"],
    resource("Card"),
    "A card changed its funding source",
  ),
  "card-transaction": entry(
    "cardTransactionWebhook",
    "CardTransactionWebhook",
    "CARD_TRANSACTION.",
    resource("CardTransaction"),
    "A card transaction changed",
  ),
  "test-webhook": entry("testWebhook", "TestWebhookRequest", "TEST", resource("none"), "A test of the endpoint"),
  "endpoint-verification": entry(
    "endpointVerificationWebhook",
    "EndpointVerificationWebhook",
    additional,
    resource("EndpointChallenge"),
    "The endpoint proves that it is the platform's",
    { isExtension: true },
  ),
}

const bodyOf = ({ data, schema, types }: Entry) =>
  Schema.Struct({
    id: eventId,
    type: Schema.Literals(types),
    timestamp: Timestamp.annotate({ description: "Time of the event." }),
    platformId: Schema.optionalKey(
      Schema.String.annotate({
        description: "An addition of this service: the platform that the event belongs to.",
      }),
    ),
    data,
  }).annotate({ identifier: schema })

const IncomingPaymentWebhookResponse = Schema.Struct({
  receiverCustomerInfo: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Json).annotate({ description: "The mandatory fields that were asked for." }),
  ),
}).annotate({ identifier: "IncomingPaymentWebhookResponse" })

const refusal = { code: Schema.String, message: Schema.String, details: Schema.optionalKey(Schema.Json) }
const Forbidden = Schema.Struct({ ...refusal, reason: Schema.optionalKey(Schema.String) }).annotate({
  identifier: "IncomingPaymentWebhookForbiddenResponse",
})
const Unprocessable = Schema.Struct({
  ...refusal,
  requiredFields: Schema.Array(CounterpartyFieldDefinition),
}).annotate({ identifier: "IncomingPaymentWebhookUnprocessableResponse" })

const errorOf = (status: 400 | 401 | 409) => ErrorResource.pipe(HttpApiSchema.status(status))

const endpointOf = ([name, row]: readonly [string, Entry]) => {
  const { isExtension = false, operationId, refusals = [400, 401, 409], summary, types } = row
  const isQuestion = name === "incoming-payment"
  const description = [
    `Sent to your endpoint for ${types.map((type) => `\`${type}\``).join(", ")}.`,
    ...(isQuestion
      ? [
          "`INCOMING_PAYMENT.PENDING` over UMA is a question: 200 accepts, 202 decides later by an approval or a rejection within 5 seconds, 403 rejects, and 422 asks for more of the sender's data. Other events only inform.",
        ]
      : ["Answer with any status from 200 to 299 to acknowledge it; otherwise it is sent again."]),
  ].join(" ")
  return HttpApiEndpoint.post(operationId, `/${name}`, {
    payload: bodyOf(row),
    success: isQuestion ? [IncomingPaymentWebhookResponse, HttpApiSchema.Empty(202)] : HttpApiSchema.Empty(200),
    error: [
      ...refusals.map(errorOf),
      ...(isQuestion ? [Forbidden.pipe(HttpApiSchema.status(403)), Unprocessable.pipe(HttpApiSchema.status(422))] : []),
    ],
  }).annotateMerge(
    OpenApi.annotations({
      identifier: operationId,
      summary,
      description,
      override: isExtension ? { "x-extension": true } : {},
    }),
  )
}

/** The name of the group, which is no tag of the document. */
export const webhookGroup = "webhook entries"

const [first, ...others] = Object.entries(webhookEntries).map(endpointOf)
if (first === undefined) throw new Error("there are no webhooks")

/** The group of these entries, for the OpenAPI document alone: no server handles it. */
export const WebhookEntriesApi = HttpApiGroup.make(webhookGroup).add(first, ...others)
