/** The database functions, called as the store calls them: beside what other transactions have locked, and what each leaves alone. */
import { afterAll, describe, expect, it } from "vitest"
import { claimsBesideLocks } from "./ClaimsBesideLocks.ts"
import { commitsBesideLocks } from "./CommitsBesideLocks.ts"
import { forgottenRows } from "./ForgottenRows.ts"
import { foundLocks } from "./FoundLocks.ts"
import { releasedJobs } from "./ReleasedJobs.ts"
import * as TestDatabase from "./TestDatabase.ts"
import { vaultRows } from "./VaultRows.ts"

const database = await TestDatabase.create(8)
afterAll(() => database.close())

const { connection, pool } = database
const parts = { connection, pool, store: TestDatabase.emptyStore(async () => connection) }

describe("a database function", () => {
  for (const checks of [claimsBesideLocks, commitsBesideLocks, foundLocks, releasedJobs, forgottenRows, vaultRows])
    for (const { run, title } of checks(parts))
      it(title, async () => {
        await expect(run()).resolves.toBeUndefined()
      })
})
