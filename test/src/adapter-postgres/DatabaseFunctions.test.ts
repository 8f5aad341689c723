/** The database functions, called as the store calls them: beside what other transactions have locked, and what each leaves alone. */
import { afterAll, describe, expect, it } from "vitest"
import { functionChecks } from "./FunctionChecks.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = await TestDatabase.create(8)
afterAll(() => database.close())

const { connection, pool } = database

const checks = functionChecks({ connection, pool, store: TestDatabase.emptyStore(async () => connection) })

describe("a database function", () => {
  for (const { run, title } of checks)
    it(title, async () => {
      await expect(run()).resolves.toBeUndefined()
    })
})
