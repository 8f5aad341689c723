/**
 * What a session of the console may do, as far as its API token may. By default it reads what waits, and decides. A sandbox allows all, so
 * that its page can send events again and move time; the endpoints that accept a session are few in either mode.
 * Source: D-352, D-462.
 */
import { Context } from "effect"
import type { TokenPermission } from "../model/platform/Platform.ts"

export const ConsolePermissions = Context.Reference<ReadonlyArray<TokenPermission>>(
  "@countersign/core/ConsolePermissions",
  { defaultValue: () => ["VIEW", "TRANSACT"] },
)
