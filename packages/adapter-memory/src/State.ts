/**
 * All that a store holds, as one immutable value: whoever keeps an old state keeps the store as it was then.
 * Source: architecture, "The Store port" (Memory).
 */
import type { StoredEvent } from "@countersign/core"
import * as Claims from "./Claims.ts"
import * as Counters from "./Counters.ts"
import * as Jobs from "./Jobs.ts"
import * as Ledger from "./Ledger.ts"
import * as Receipts from "./Receipts.ts"
import * as Records from "./Records.ts"
import * as SortedMap from "./SortedMap.ts"

export interface State {
  readonly records: Records.Records
  readonly claims: Claims.Claims
  readonly ledger: Ledger.Ledger
  readonly counters: Counters.Counters
  readonly events: SortedMap.SortedMap<string, StoredEvent>
  readonly jobs: Jobs.Jobs
  readonly receipts: Receipts.Receipts
}

export const empty: State = {
  records: Records.empty,
  claims: Claims.empty,
  ledger: Ledger.empty,
  counters: Counters.empty,
  events: SortedMap.empty(SortedMap.natural),
  jobs: Jobs.empty,
  receipts: Receipts.empty,
}
