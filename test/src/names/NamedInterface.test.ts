/**
 * Requests in either spelling, and errors in the deployment's, for an operation with elements in every part.
 * Source: wire contract areas 2.5 (incoming, idempotency comparison, `details.errors[].field`).
 */

import { spellingsOf } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { OpenApiDocument } from "../../../packages/adapter-http/src/index.ts"
import { spelledDocument } from "../../../packages/adapter-http/src/server/SpelledDocument.ts"
import { Named, namedInterface } from "./NamedInterface.ts"

const own = { type: "ACME_INTERNAL_ACCOUNT", accountId: "CLOSED_BY_SERVICE" }
const neutral = { type: "SERVICE_INTERNAL_ACCOUNT", accountId: "CLOSED_BY_SERVICE" }

describe("a request to the service Acme", () => {
  it.each([
    ["its own", own, "acme", "acmeApiFixedFee"],
    ["the neutral", neutral, "service", "serviceApiFixedFee"],
  ])("is accepted in %s spelling of values, members, headers and query parameters", async (_, source, name, fee) => {
    await using service = namedInterface("Acme")
    const headers = { [`${name}-wallet-signature`]: "signature", "idempotency-key": "one" }
    const query = `?${name}OperationsStatus=NOT_ENABLED`
    const metadata = { serviceApiFixedFee: "SERVICE_INTERNAL_ACCOUNT", acmeApiFixedFee: "ACME_INTERNAL_ACCOUNT" }
    const reply = await service.mint({ source, [fee]: 7, metadata }, { headers, query })
    expect(reply).toEqual({ status: 200, body: { acmeOperationsStatus: "NOT_ENABLED", source: own } })
    const body = { source: neutral, serviceApiFixedFee: 7, metadata }
    const called = { body, query: { serviceOperationsStatus: "NOT_ENABLED" }, signature: "signature" }
    expect(service.calls).toEqual([{ ...called, keyed: { key: "one", method: "POST", path: "/mints", body } }])
  })

  it("is compared in its neutral form under an idempotency key", async () => {
    await using service = namedInterface("Acme")
    const headers = { "idempotency-key": "one" }
    await service.mint({ source: own, acmeApiFixedFee: 7 }, { headers })
    await service.mint({ source: neutral, serviceApiFixedFee: 7 }, { headers })
    const [first, second] = service.calls
    expect(second?.keyed).toEqual(first?.keyed)
  })

  it("means what the deployment's spelling says, if it has both", async () => {
    await using service = namedInterface("Acme")
    await service.mint(
      { source: own, serviceApiFixedFee: 1, acmeApiFixedFee: 2 },
      {
        headers: { "service-wallet-signature": "neutral", "acme-wallet-signature": "own" },
        query: "?serviceOperationsStatus=NOT_ENABLED&acmeOperationsStatus=ENABLED",
      },
    )
    expect(service.calls).toMatchObject([
      { body: { serviceApiFixedFee: 2 }, query: { serviceOperationsStatus: "ENABLED" }, signature: "own" },
    ])
  })

  it("is refused with the deployment's spelling of fields and values, in every part", async () => {
    await using service = namedInterface("Acme")
    const refused = await service.mint(
      { source: { type: "OTHER" }, serviceApiFixedFee: "1", metadata: { serviceApiFixedFee: 1 } },
      { query: "?serviceOperationsStatus=OTHER", headers: { "service-wallet-signature": "s".repeat(9000) } },
    )
    expect(refused).toMatchObject({
      status: 400,
      body: {
        code: "INVALID_INPUT",
        details: {
          errors: [
            {
              field: "source.type",
              message: "must be one of WIRE, ACME_INTERNAL_ACCOUNT",
              constraint: { enum: ["WIRE", "ACME_INTERNAL_ACCOUNT"] },
            },
            { field: "acmeApiFixedFee" },
            { field: "metadata.serviceApiFixedFee" },
            { field: "acmeOperationsStatus" },
            { field: "Acme-Wallet-Signature" },
          ],
        },
      },
    })
    const {
      details,
      message,
    }: { details?: { errors: ReadonlyArray<{ field: string; message: string }> }; message?: string } = Object(
      refused.body,
    )
    expect(message).toBe(details?.errors.map((error) => `${error.field}: ${error.message}`).join("; "))
  })

  it("is refused with the deployment's spelling of the fields that a service names", async () => {
    const message = "must be less than serviceApiFixedFee"
    await using service = namedInterface("Acme", {
      code: "INVALID_INPUT",
      message: `serviceApiFixedFee: ${message}; and 3 more`,
      details: { errors: [{ field: "serviceApiFixedFee", message }], omitted: 3, serviceApiFixedFee: "kept" },
    })
    expect((await service.mint({ source: neutral })).body).toEqual({
      status: 400,
      code: "INVALID_INPUT",
      message: "acmeApiFixedFee: must be less than acmeApiFixedFee; and 3 more",
      details: {
        errors: [{ field: "acmeApiFixedFee", message: "must be less than acmeApiFixedFee" }],
        omitted: 3,
        serviceApiFixedFee: "kept",
      },
    })
  })

  it("is refused with the message that a service wrote itself", async () => {
    const message = "CLOSED_BY_SERVICE is what the caller wrote"
    const errors = [{ field: "serviceApiFixedFee", message: "is too high" }]
    await using service = namedInterface("Acme", { code: "AMOUNT_OUT_OF_RANGE", message, details: { errors } })
    expect((await service.mint({ source: neutral })).body).toEqual({
      status: 400,
      code: "AMOUNT_OUT_OF_RANGE",
      message,
      details: { errors: [{ field: "acmeApiFixedFee", message: "is too high" }] },
    })
  })

  it("fails with the deployment's spelling of a code, and with the caller's details as they were", async () => {
    const details = { switch: "SERVICE_SWITCH_ERROR", errors: "CLOSED_BY_SERVICE" }
    await using service = namedInterface("Acme", { code: "SERVICE_SWITCH_ERROR", message: "No.", details })
    expect(await service.mint({ source: neutral })).toEqual({
      status: 500,
      body: { status: 500, code: "ACME_SWITCH_ERROR", message: "No.", details },
    })
  })

  it("is refused as unreadable if its body is no JSON", async () => {
    await using service = namedInterface("Acme")
    expect(await service.mint("{")).toMatchObject({ status: 400, body: { code: "INVALID_REQUEST_FORMAT" } })
  })
})

describe("a request to a service with the default name", () => {
  it("has no second spelling", async () => {
    await using service = namedInterface("Service")
    expect((await service.mint({ source: own })).status).toBe(400)
    const reply = await service.mint({ source: neutral }, { headers: { "acme-wallet-signature": "own" } })
    expect(reply).toEqual({ status: 200, body: { serviceOperationsStatus: "ENABLED", source: neutral } })
    expect(service.calls[0]?.signature).toBeUndefined()
  })
})

describe("the document of the service Acme", () => {
  const neutralDocument = OpenApiDocument.make(Named, "")
  const document = spelledDocument(neutralDocument, spellingsOf("Acme"))

  it("has its own names of parameters, members, required members, values, discriminators and examples", () => {
    const operation = OpenApiDocument.at(document, "paths", "/mints", "post")
    const parameters = OpenApiDocument.list(OpenApiDocument.at(operation, "parameters"))
    expect(parameters.map((parameter) => OpenApiDocument.at(parameter, "name"))).toEqual(
      expect.arrayContaining(["Acme-Wallet-Signature", "acmeOperationsStatus"]),
    )
    const answer = OpenApiDocument.at(operation, "responses", "200", "content", "application/json")
    expect(answer).toMatchObject({
      schema: { required: ["acmeOperationsStatus", "source"], properties: { acmeOperationsStatus: {} } },
      example: { acmeOperationsStatus: "NOT_ENABLED" },
    })
    expect(JSON.stringify(document)).toContain('"enum":["ACME_INTERNAL_ACCOUNT"]')
    expect(JSON.stringify(document)).not.toMatch(/service(?:-Wallet|Api|Operations)|SERVICE_(?:INTERNAL|SWITCH)/iu)
  })

  it("is the same document under the default name", () => {
    expect(spelledDocument(neutralDocument, spellingsOf("Service"))).toBe(neutralDocument)
  })
})
