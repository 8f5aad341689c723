/**
 * The shapes of members that the decoders leave open, because a rail, a provider or a later version may add to them. The document names
 * what is known of each; every object stays open.
 * Source: wire contract 2.6 (names of customer fields), 5.12, 8.1; wire contract areas 1.6 (funding instructions); Web Authentication 3, 5.1.8; D-439.
 */
import { at, isObject, type Json, type JsonObject, list } from "./Json.ts"

const text: Json = { type: "string" }
const texts: Json = { type: "array", items: text }
const bytes: Json = { type: "string", description: "base64url" }
const whole: Json = { type: "integer", format: "int64" }
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: JsonObject, description: string): Json => ({ type: "object", description, properties })
const listOf = (items: Json): Json => ({ type: "array", items })

const credential = object({ id: bytes, type: text, transports: texts }, "A passkey that the authenticator may know.")
const asserted = { id: bytes, rawId: bytes, type: text, authenticatorAttachment: text }

const fieldNames = (schemas: JsonObject): JsonObject =>
  Object.fromEntries(list(at(schemas["CustomerInfoFieldName"], "enum")).map((name) => [String(name), text]))

const shapes = (schemas: JsonObject): JsonObject => ({
  ErrorDetails: object(
    {
      errors: listOf(ref("FieldProblem")),
      reason: { ...Object(text), description: "Which case of the code it is." },
      rule: { ...Object(text), description: "The rule of the policy that decided." },
    },
    "More for a program. Which members there are depends on the code.",
  ),
  FieldProblem: {
    ...Object(
      object(
        {
          field: { ...Object(text), description: "Dot path of the field." },
          message: text,
          constraint: object(
            { format: text, pattern: text, enum: { type: "array", items: {} }, minLength: whole, maxLength: whole },
            "The broken constraint.",
          ),
        },
        "One problem of a field.",
      ),
    ),
    required: ["field", "message"],
  },
  DecisionDetails: object(
    { rule: { ...Object(text), description: "The rule that decided." }, message: text },
    "The rule that decided, with its numbers under the names of the policy.",
  ),
  CounterpartyInformation: object(fieldNames(schemas), "What is known of a person or business, by field name."),
  PasskeyAssertionOptions: object(
    { challenge: bytes, rpId: text, timeout: whole, userVerification: text, allowCredentials: listOf(credential) },
    "For `navigator.credentials.get`, in the JSON form of Web Authentication.",
  ),
  PasskeyCreationOptions: object(
    {
      challenge: bytes,
      rp: object({ id: text, name: text }, "The relying party."),
      user: object({ id: bytes, name: text, displayName: text }, "The customer."),
      pubKeyCredParams: listOf(object({ type: text, alg: whole }, "An algorithm, by its COSE number.")),
      excludeCredentials: listOf(credential),
      timeout: whole,
      attestation: text,
    },
    "For `navigator.credentials.create`, in the JSON form of Web Authentication.",
  ),
  PasskeyAssertion: object(
    {
      ...asserted,
      response: object(
        { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userHandle: bytes },
        "What the authenticator signed.",
      ),
    },
    "What `navigator.credentials.get` returned, in its JSON form.",
  ),
  PasskeyRegistration: object(
    {
      ...asserted,
      response: object(
        { clientDataJSON: bytes, attestationObject: bytes, transports: texts },
        "The authenticator's new key.",
      ),
    },
    "What `navigator.credentials.create` returned, in its JSON form.",
  ),
  StablecoinFundingInstructions: object(
    Object.fromEntries(
      [
        ...["rail", "network", "address", "valueType"],
        ...["beneficiaryName", "accountNumber", "routingNumber", "bankName", "reference"],
      ].map((name) => [name, text]),
    ),
    "How to send the money (a wire: bank details and `reference`) or the tokens (`address`).",
  ),
})

/** The shape of each open member, by schema and member. */
const members: Readonly<Record<string, string>> = {
  "Error.details": "ErrorDetails",
  "BulkCustomerImportErrorEntry.details": "ErrorDetails",
  "IncomingPaymentWebhookForbiddenResponse.details": "ErrorDetails",
  "IncomingPaymentWebhookUnprocessableResponse.details": "ErrorDetails",
  "AgentAction.details": "DecisionDetails",
  "AgentPolicyEvaluation.details": "DecisionDetails",
  "AuditRecord.details": "DecisionDetails",
  "OutgoingTransaction.counterpartyInformation": "CounterpartyInformation",
  "IncomingTransaction.counterpartyInformation": "CounterpartyInformation",
  "IncomingPaymentWebhookData.counterpartyInformation": "CounterpartyInformation",
  "IncomingPaymentWebhookResponse.receiverCustomerInfo": "CounterpartyInformation",
  "ApprovePaymentRequest.receiverCustomerInfo": "CounterpartyInformation",
  "QuoteRequest.senderCustomerInfo": "CounterpartyInformation",
  "ScaChallenge.passkeyAssertionOptions": "PasskeyAssertionOptions",
  "ScaLoginStart.passkeyOptions": "PasskeyAssertionOptions",

  "PasskeyEnrollmentStart.options": "PasskeyCreationOptions",
  "PasskeyEnrollmentConfirmRequest.credential": "PasskeyRegistration",
  "ScaAuthorization.passkeyAssertion": "PasskeyAssertion",
  "BeneficiaryTrustConfirmRequest.passkeyAssertion": "PasskeyAssertion",
  "ScaLoginCompleteRequest.passkeyAssertion": "PasskeyAssertion",
}

const typedMember = (member: Json, name: string): Json => {
  const description = at(member, "description")
  const shape = description === undefined ? ref(name) : { ...Object(ref(name)), description }
  const isNullable = list(at(member, "anyOf")).some((choice) => at(choice, "type") === "null")
  return isNullable ? { anyOf: [shape, { type: "null" }] } : shape
}

/** Returns the schemas with a shape for each open member. */
export const typedSchemas = (schemas: JsonObject): JsonObject => ({
  ...Object.fromEntries(
    Object.entries(schemas).map(([schemaName, schema]) => {
      const properties = at(schema, "properties")
      if (!isObject(schema) || !isObject(properties)) return [schemaName, schema]
      const typed = Object.entries(properties).map(([name, member]) => {
        const shape = members[`${schemaName}.${name}`]
        return [name, shape === undefined ? member : typedMember(member, shape)]
      })
      return [schemaName, { ...schema, properties: Object.fromEntries(typed) }]
    }),
  ),
  ...shapes(schemas),
})
