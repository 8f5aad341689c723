/** Runs the checks of a port in their order. */
import type { PortCheck } from "../../../packages/test/src/conformance/PortChecks.ts"

/** Returns the titles of the checks that fail. */
export const failedChecks = async (checks: ReadonlyArray<PortCheck>): Promise<ReadonlyArray<string>> => {
  const failed: Array<string> = []
  for (const { run, title } of checks) await run().catch(() => failed.push(title))
  return failed
}
