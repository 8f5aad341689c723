/** The checks of responses report each kind of invalid response, and nothing for a valid one. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { problemsOfAnswer, problemsOfMalformed } from "../../../packages/test/src/arbitraries/Answers.ts"
import { modelOf } from "../../../packages/test/src/arbitraries/Entities.ts"
import { everyAnswer, type RequestTarget } from "../../../packages/test/src/arbitraries/EveryAnswer.ts"
import { operationOf } from "../../../packages/test/src/arbitraries/Operations.ts"
import type { MalformedRequest } from "../../../packages/test/src/arbitraries/Requests.ts"
import { search } from "../../../packages/test/src/arbitraries/Search.ts"

const [card] = fc.sample(modelOf("CardResource"), { numRuns: 1, seed: 1 })
const refusal = (status: number, code: string, more: object = {}) => ({
  status,
  body: { status, code, message: "No.", ...more },
})

describe("a response", () => {
  it.each([
    ["a card", { status: 200, body: card }],
    ["a refusal", refusal(404, "REFERENCE_NOT_FOUND")],
  ])("is valid if it is %s", (_, answer) => {
    expect(problemsOfAnswer("cards.getCardById", answer)).toEqual([])
  })

  it("is valid without a body exactly if the operation declares none", () => {
    expect(problemsOfAnswer("agents.deleteAgent", { status: 204, body: undefined })).toEqual([])
    expect(problemsOfAnswer("agents.deleteAgent", { status: 204, body: {} })).toHaveLength(1)
  })

  it.each([
    ["a status that the operation does not declare", { status: 201, body: card }, /does not declare the status 201/u],
    ["a missing member", { status: 200, body: { ...card, id: undefined } }, /does not match the schema/u],
    ["an excess member", { status: 200, body: { ...card, pan: "4242424242424242" } }, /does not match the schema/u],
    ["a body that is not an error response", { status: 404, body: "Not found" }, /not an error response/u],
    ["a code that is not in the error table", refusal(404, "GONE_FISHING"), /not an error response/u],
    ["a status that its code does not have", refusal(404, "CONFLICT"), /CONFLICT does not have the status 404/u],
    [
      "a status that differs from that of its body",
      { ...refusal(404, "REFERENCE_NOT_FOUND"), status: 409 },
      /the body has the status 404/u,
    ],
    [
      "an error status that the operation does not declare",
      refusal(423, "ACCOUNT_LOCKED"),
      /does not declare the status 423/u,
    ],
    ["the status of a defect", refusal(500, "INTERNAL_ERROR"), /the service has a defect/u],
  ])("is reported for %s", (_, answer, problem) => {
    expect(problemsOfAnswer("cards.getCardById", answer).join("\n")).toMatch(problem)
  })
})

describe("the response to a malformed request", () => {
  const wrong = { part: "body", field: "amount", change: "missing", fields: ["amount"] } as const
  const request: MalformedRequest = {
    operation: "transfers.createTransferIn",
    method: "POST",
    path: "/transfer-in",
    headers: {},
    wrong,
  }
  const listing = (...fields: ReadonlyArray<string>) =>
    refusal(400, "INVALID_INPUT", { details: { errors: fields.map((field) => ({ field, message: "is required" })) } })

  it("is valid if it lists the invalid field or a field that contains it", () => {
    expect(problemsOfMalformed(request, listing("amount", "source"))).toEqual([])
    const deep = { ...request, wrong: { ...wrong, fields: ["source.accountId"] } }
    expect(problemsOfMalformed(deep, listing("source"))).toEqual([])
  })

  it.each([
    ["another field", listing("source")],
    ["nothing", listing()],
    ["a field whose name only has the same prefix", listing("amountMax")],
    ["an error of another kind", refusal(404, "REFERENCE_NOT_FOUND")],
    ["success", { status: 201, body: {} }],
  ])("is reported if it lists %s", (_, answer) => {
    expect(problemsOfMalformed(request, answer)).toHaveLength(1)
  })
})

describe("everyAnswer", () => {
  const operations = [operationOf("cards.getCardById"), operationOf("cards.updateCardById")]
  const problemsOf = (
    one: (as: string, path: string) => RequestTarget["send"] extends (...args: never) => Promise<infer A> ? A : never,
    more: Partial<RequestTarget> = {},
  ) =>
    everyAnswer(
      async () => ({ send: async ({ path }, as) => one(as, path), [Symbol.asyncDispose]: async () => {}, ...more }),
      { operations, seed: 1 },
    )
  const validResponse = (as: string) =>
    as === "platform" ? refusal(404, "REFERENCE_NOT_FOUND") : refusal(401, "UNAUTHORIZED")

  it("reports a malformed request that is not rejected as such", async () => {
    const [problem] = await problemsOf(validResponse)
    expect(problem).toContain("cards.updateCardById (Malformed, as platform) PATCH /cards/")
    expect(problem).toMatch(/seed: 1/u)
  })

  it("reports an unauthorized request that is accepted", async () => {
    const open = async (): Promise<RequestTarget> => ({
      send: async () => ({ status: 200, body: card }),
      [Symbol.asyncDispose]: async () => {},
    })
    const [problem] = await everyAnswer(open, { operations: [operationOf("cards.getCardById")], requests: 40 })
    expect(problem).toMatch(/(nobody|agent) is not authorized, but the response is 200/u)
  })

  it("reports a rejected request that changes the state, and problems of the final state", async () => {
    let version = 0
    const only = [operationOf("cards.getCardById")]
    const open = (more: Partial<RequestTarget>) => async (): Promise<RequestTarget> => ({
      send: async (_, as) => validResponse(as),
      [Symbol.asyncDispose]: async () => {},
      ...more,
    })
    expect(await everyAnswer(open({}), { operations: only })).toEqual([])
    const counting = open({ state: async () => `${version++}` })
    expect((await everyAnswer(counting, { operations: only, requests: 40 })).join()).toContain("changed the state")
    const broken = open({ problems: async () => ["the ledger of USD sums to 1"] })
    expect((await everyAnswer(broken, { operations: only })).join()).toContain("the ledger of USD sums to 1")
  })
})

describe("a search", () => {
  it("returns the smallest counterexample and its seed", async () => {
    const found = await search(fc.nat({ max: 1000 }), async (number) => {
      if (number > 41) throw new Error(`${number} is too much`)
    })
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(/Counterexample: \[42\]/u)
    expect(found[0]).toMatch(/seed: -?\d+/u)
    expect(await search(fc.nat(), async () => {})).toEqual([])
  })
})
