/**
 * Every operation refuses a query that no store can keep, with its own error response.
 * Source: wire contract 8.1 and 11 (58).
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type OperationTarget, operationTarget } from "../hostile/OperationTarget.ts"
import { operations } from "../http/ExampleRequests.ts"

let target: OperationTarget
beforeAll(async () => {
  target = await operationTarget()
})
afterAll(() => target[Symbol.asyncDispose]())

describe("a query with U+0000", () => {
  it.each(operations().map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    "is refused by %s, with the name of its parameter",
    async (_name, operation) => {
      const { body, path } = target.exampleOf(operation)
      const query = `${path.includes("?") ? "&" : "?"}note=%00`
      const answer = await target.send(operation, { body, path: `${path}${query}` })
      expect(answer.status, answer.body).toBe(400)
      expect(JSON.parse(answer.body)).toMatchObject({
        code: "INVALID_INPUT",
        details: { errors: [{ field: "note" }] },
      })
    },
  )
})
