/** Expected failures and their response bodies. */
import { bodyOf, invalidInput, notFound, ServiceError } from "@countersign/core"
import { type ErrorCode, ErrorCodes, statusOf } from "@countersign/core/models"
import { Cause, Effect, Exit } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { refusalOf } from "../../../packages/core/src/foundation/errors/ServiceError.ts"

const codes = fc.constantFrom<ErrorCode>(...ErrorCodes.keys)
const details = fc.dictionary(
  fc.constantFrom("reason", "limit", "errors"),
  fc.oneof(fc.string(), fc.nat(), fc.constant(null)),
)

describe("the body of an error", () => {
  it("contains the status, the code and the unchanged details", () => {
    fc.assert(
      fc.property(codes, fc.string(), fc.option(details, { nil: undefined }), (code, message, detailsOption) => {
        const body = bodyOf({ code, message, ...(detailsOption === undefined ? {} : { details: detailsOption }) })
        expect(body.status).toBe(statusOf(code))
        expect([body.code, body.message]).toEqual([code, message])
        expect(body.details).toEqual(detailsOption)
        expect("details" in body).toBe(detailsOption !== undefined)
      }),
    )
  })

  it("has a reason at top level only for a 401 whose details have a text as reason", () => {
    fc.assert(
      fc.property(codes, details, (code, errorDetails) => {
        const { reason } = errorDetails
        const body = bodyOf({ code, message: "", details: errorDetails })
        expect("reason" in body).toBe(statusOf(code) === 401 && typeof reason === "string")
        if ("reason" in body) expect(body.reason).toBe(reason)
      }),
    )
  })

  it("parses back to the same refusal", () => {
    fc.assert(
      fc.property(codes, fc.string(), details, (code, message, errorDetails) => {
        const refusal = { code, message, details: errorDetails }
        expect(refusalOf(JSON.parse(JSON.stringify(bodyOf(refusal))))).toEqual(JSON.parse(JSON.stringify(refusal)))
      }),
    )
  })

  it("reads as an internal error when its code is not in the table", () => {
    for (const body of [null, [], "text", {}, { code: 5, message: "m" }, { code: "toString", message: "m" }]) {
      expect(refusalOf(body).code).toBe("INTERNAL_ERROR")
    }
  })
})

describe("a service error", () => {
  it("fails an effect and has the status of its code", () => {
    const exit = Effect.runSyncExit(new ServiceError({ code: "USER_NOT_READY", message: "not yet" }))
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({
      _tag: "ServiceError",
      code: "USER_NOT_READY",
      message: "not yet",
      status: 403,
    })
  })

  it("lists all problems of the input", () => {
    const refusal = invalidInput([
      { field: "amount", message: "must be at least 1", constraint: { minimum: 1 } },
      { field: "source.accountId", message: "is missing" },
    ])
    expect(bodyOf(refusal)).toEqual({
      status: 400,
      code: "INVALID_INPUT",
      message: "amount: must be at least 1; source.accountId: is missing",
      details: {
        errors: [
          { field: "amount", message: "must be at least 1", constraint: { minimum: 1 } },
          { field: "source.accountId", message: "is missing" },
        ],
      },
    })
  })

  it("has status 404 for a missing record, with the code of its kind if there is one", () => {
    expect(bodyOf(notFound("agent"))).toEqual({ status: 404, code: "REFERENCE_NOT_FOUND", message: "No such agent." })
    expect(bodyOf(notFound("customer", "USER_NOT_FOUND"))).toMatchObject({ status: 404, code: "USER_NOT_FOUND" })
  })
})
