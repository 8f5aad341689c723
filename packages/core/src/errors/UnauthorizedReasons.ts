/**
 * The table of reasons that a 401 carries in `reason` and `details.reason`.
 * Spec: Errors, other rules (2); wire contract 4.12.
 */
import * as Table from "../kit/Table.ts"

export const UnauthorizedReasons = Table.make("UnauthorizedReasons", {
  MISSING_CREDENTIALS: "Missing credentials",
  MALFORMED_CREDENTIALS: "Malformed credentials",
  INVALID_CREDENTIALS: "Invalid credentials",
  INVALID_AGENT_TOKEN: "Invalid agent token",
})

export type UnauthorizedReason = (typeof UnauthorizedReasons.rows)[(typeof UnauthorizedReasons.keys)[number]]
