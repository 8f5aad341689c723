/** A transaction over several cells whose commit gets no answer. Source: D-517. */
import { expect, it } from "vitest"
import { transacted } from "../../../packages/adapter-postgres/src/cells/Transaction.ts"
import type { Connection, Session } from "../../../packages/adapter-postgres/src/connection/Connection.ts"

/** Runs a transaction whose commit fails so. Returns the statements, and how it ended. */
const committing = async (problem: Error) => {
  const statements: Array<string> = []
  const session: Session = {
    query: async ({ text }) => {
      statements.push(text)
      if (text === "commit") throw problem
      return []
    },
    script: async () => undefined,
  }
  const connection: Connection = {
    query: session.query,
    session: (use) => use(session),
    concurrentBatches: 1,
    isTransaction: false,
  }
  const ended = await transacted(connection, async () => "done").catch((error: unknown) => error)
  return { ended, last: statements.at(-1) }
}

it("is not rolled back after a commit without an answer, because the rollback would wait behind it", async () => {
  const problem = new Error("Query read timeout")
  expect(await committing(problem)).toEqual({ ended: problem, last: "commit" })
})

it("is rolled back after a commit that the server refused", async () => {
  const problem = Object.assign(new Error("could not serialize access"), { code: "40001", severity: "ERROR" })
  expect(await committing(problem)).toEqual({ ended: problem, last: "rollback" })
})
