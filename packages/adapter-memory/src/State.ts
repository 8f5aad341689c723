/**
 * The complete state of a store as one immutable value. A reference to an old state stays valid and never changes.
 * Source: architecture, "The Store port" (Memory).
 */
import * as BusinessTime from "./BusinessTime.ts"
import * as Claims from "./Claims.ts"
import * as Counters from "./Counters.ts"
import * as Events from "./Events.ts"
import * as Jobs from "./Jobs.ts"
import * as Ledger from "./Ledger.ts"
import * as Receipts from "./Receipts.ts"
import * as Records from "./Records.ts"

export interface State {
  readonly records: Records.Records
  readonly claims: Claims.Claims
  readonly ledger: Ledger.Ledger
  readonly counters: Counters.Counters
  readonly events: Events.Events
  readonly jobs: Jobs.Jobs
  readonly receipts: Receipts.Receipts
  readonly time: BusinessTime.BusinessTime
}

export const empty: State = {
  records: Records.empty,
  claims: Claims.empty,
  ledger: Ledger.empty,
  counters: Counters.empty,
  events: Events.empty,
  jobs: Jobs.empty,
  receipts: Receipts.empty,
  time: BusinessTime.empty,
}
