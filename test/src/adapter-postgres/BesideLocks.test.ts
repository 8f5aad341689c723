/** Claims, commits and releases beside what other transactions have locked, and searches for it, on PostgreSQL. */
import { afterAll, describe, expect, it } from "vitest"
import { claimsBesideLocks } from "./ClaimsBesideLocks.ts"
import { commitsBesideLocks } from "./CommitsBesideLocks.ts"
import { foundLocks } from "./FoundLocks.ts"
import { releasedJobs } from "./ReleasedJobs.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = await TestDatabase.create(8)
afterAll(() => database.close())

const { connection, pool } = database
const store = TestDatabase.emptyStore(async () => connection)

describe("beside other transactions", () => {
  const parts = { connection, pool, store }
  const checks = [
    ...claimsBesideLocks(parts),
    ...commitsBesideLocks(parts),
    ...foundLocks(parts),
    ...releasedJobs(parts),
  ]
  for (const { run, title } of checks)
    it(title, async () => {
      await expect(run()).resolves.toBeUndefined()
    })
})
