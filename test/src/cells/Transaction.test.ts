/** A transaction over several cells whose statement or commit gets no answer. Source: D-517. */
import { expect, it } from "vitest"
import { transacted } from "../../../packages/adapter-postgres/src/cells/Transaction.ts"
import type { Connection, Session } from "../../../packages/adapter-postgres/src/connection/Connection.ts"
import { failureOf } from "../../../packages/adapter-postgres/src/connection/Failure.ts"

/** Runs a transaction of one statement. `answer` is that of each statement. Returns the last statement, and how the transaction ended. */
const transaction = async (answer: (text: string) => Promise<[]>, lost?: AbortSignal) => {
  const statements: Array<string> = []
  const session: Session = {
    query: ({ text }) => {
      statements.push(text)
      return answer(text)
    },
    script: async () => undefined,
  }
  const connection: Connection = {
    query: session.query,
    session: (use) => use(session),
    concurrentBatches: 1,
    isTransaction: false,
  }
  const work = ({ query }: Session) => query({ text: "statement", values: [] })
  const ended = await transacted(connection, work, lost).catch((error: unknown) => error)
  return { ended, last: statements.at(-1) }
}

/** Runs a transaction whose commit fails so. */
const committing = (problem: Error) =>
  transaction(async (text) => {
    if (text === "commit") throw problem
    return []
  })

/** Runs a transaction that loses a node during this statement, which is never answered. */
const losing = async (statement: string) => {
  const node = new AbortController()
  const { ended, last } = await transaction((text) => {
    if (text !== statement) return Promise.resolve([])
    queueMicrotask(() => node.abort(new Error("the node does not answer")))
    return new Promise(() => undefined)
  }, node.signal)
  return { failure: failureOf(ended), last }
}

it("is not rolled back after a commit without an answer, because the rollback would wait behind it", async () => {
  const problem = new Error("Query read timeout")
  expect(await committing(problem)).toEqual({ ended: problem, last: "commit" })
})

it("is rolled back after a commit that the server refused", async () => {
  const problem = Object.assign(new Error("could not serialize access"), { code: "40001", severity: "ERROR" })
  expect(await committing(problem)).toEqual({ ended: problem, last: "rollback" })
})

it("ends at once when a node is lost that a statement waits for, with nothing applied", async () => {
  expect(await losing("statement")).toEqual({ failure: "unavailable", last: "statement" })
})

it("ends at once when a node is lost that the commit waits for, with an outcome that is unknown", async () => {
  expect(await losing("commit")).toEqual({ failure: "unknown", last: "commit" })
})

it("is not begun while a node is lost", async () => {
  const lost = AbortSignal.abort(new Error("the node does not answer"))
  const { ended, last } = await transaction(async () => [], lost)
  expect({ failure: failureOf(ended), last }).toEqual({ failure: "unavailable", last: undefined })
})
