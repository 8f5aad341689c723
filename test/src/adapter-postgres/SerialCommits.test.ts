/**
 * The commits that take one set after another are a `Store` of their own, and do as the reference in memory does. They commit what a batch
 * meets a conflict with, what spans cells, and what an embedder commits in its own transaction.
 * Source: architecture, "The Store port"; D-522.
 */
import type { Connection } from "@countersign/adapter-postgres"
import { afterAll, expect } from "vitest"
import { storeConformance } from "../../../packages/test/src/conformance/index.ts"
import { doesAsInMemory } from "./AsInMemory.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = TestDatabase.create(8)
let [batches, serial] = [0, 0]

afterAll(async () => {
  expect(Math.min(batches, serial)).toBeGreaterThan(0)
  await (await database).close()
})

/** Every batch meets a conflict that it attributes to none of its sets. */
const withoutBatches = async (): Promise<Connection> => {
  const { connection } = await database
  const query: Connection["query"] = async (statement) => {
    if (statement.name === "countersign_commit_serial") serial += 1
    if (statement.name !== "countersign_commit_group") return connection.query(statement)
    batches += 1
    throw Object.assign(new Error("a batch"), { code: "CS002", severity: "ERROR" })
  }
  return { ...connection, query }
}

const Postgres = TestDatabase.emptyStore(withoutBatches)

storeConformance("PostgreSQL, one set after another", Postgres, { timeoutMillis: 60_000 })

doesAsInMemory("one set after another", Postgres, 40)
