/** All checks of single calls of the database functions, which `npm test` runs once and each mutant of a function runs. */
import { claimsBesideLocks } from "./ClaimsBesideLocks.ts"
import { commitsBesideLocks } from "./CommitsBesideLocks.ts"
import { forgottenRows } from "./ForgottenRows.ts"
import { foundLocks } from "./FoundLocks.ts"
import type { FunctionCheck, FunctionParts } from "./FunctionParts.ts"
import { releasedJobs } from "./ReleasedJobs.ts"
import { vaultRows } from "./VaultRows.ts"

/** Each on a database that is empty at first. */
export const functionChecks = (parts: FunctionParts): ReadonlyArray<FunctionCheck> =>
  [claimsBesideLocks, commitsBesideLocks, foundLocks, releasedJobs, forgottenRows, vaultRows].flatMap((checks) =>
    checks(parts),
  )
