/** Expected failures and the bodies they become. */
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
  it("states its status and code, and shows details as they are", () => {
    fc.assert(
      fc.property(codes, fc.string(), fc.option(details, { nil: undefined }), (code, message, given) => {
        const body = bodyOf({ code, message, ...(given === undefined ? {} : { details: given }) })
        expect(body.status).toBe(statusOf(code))
        expect([body.code, body.message]).toEqual([code, message])
        expect(body.details).toEqual(given)
        expect("details" in body).toBe(given !== undefined)
      }),
    )
  })

  it("names a reason at top level for a 401 with a text for it, and else never", () => {
    fc.assert(
      fc.property(codes, details, (code, given) => {
        const { reason } = given
        const body = bodyOf({ code, message: "", details: given })
        expect("reason" in body).toBe(statusOf(code) === 401 && typeof reason === "string")
        if ("reason" in body) expect(body.reason).toBe(reason)
      }),
    )
  })

  it("is read back as the refusal it was made from", () => {
    fc.assert(
      fc.property(codes, fc.string(), details, (code, message, given) => {
        const refusal = { code, message, details: given }
        expect(refusalOf(JSON.parse(JSON.stringify(bodyOf(refusal))))).toEqual(JSON.parse(JSON.stringify(refusal)))
      }),
    )
  })

  it("is an internal error when its code is none of the table", () => {
    for (const body of [null, [], "text", {}, { code: 5, message: "m" }, { code: "toString", message: "m" }]) {
      expect(refusalOf(body).code).toBe("INTERNAL_ERROR")
    }
  })
})

describe("a service error", () => {
  it("fails an effect, and knows its status", () => {
    const exit = Effect.runSyncExit(new ServiceError({ code: "USER_NOT_READY", message: "not yet" }))
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({
      _tag: "ServiceError",
      code: "USER_NOT_READY",
      message: "not yet",
      status: 403,
    })
  })

  it("lists every problem of the input at once", () => {
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

  it("answers 404 for what does not exist, with the code of the kind where there is one", () => {
    expect(bodyOf(notFound("agent"))).toEqual({ status: 404, code: "REFERENCE_NOT_FOUND", message: "No such agent." })
    expect(bodyOf(notFound("customer", "USER_NOT_FOUND"))).toMatchObject({ status: 404, code: "USER_NOT_FOUND" })
  })
})
