/**
 * What a storage adapter needs: the Store port, change sets, stored kinds and the ledger's accounts.
 * Source: architecture, "The Store port".
 */

export { slotCount, slotOf } from "./foundation/ids/Slot.ts"
export * as Page from "./foundation/kit/Page.ts"
export { DeliveryAttempt, deliveryAttemptsMax } from "./model/event/DeliveryAttempt.ts"
export { eventLane, eventRetentionMillis } from "./model/event/Retention.ts"
export { limitPrefix, limitRetentionMillis, liveLimitsFrom } from "./model/limit/LimitCounter.ts"
export type { Claim, Owner } from "./model/record/Record.ts"
export {
  type AccountBalance,
  type AccountBalances,
  type AccountEntries,
  type AccountEntry,
  type BalanceTotal,
  type EntriesPage,
  type LedgerAccountsPage,
  Operator,
  type Posting,
  type PostingSide,
  type RootUse,
  roleOf,
  type TrialBalanceLine,
} from "./store/Books.ts"
export { sees } from "./store/Caller.ts"
export * from "./store/ChangeSet.ts"
export * as ChangeSignal from "./store/ChangeSignal.ts"
export { type ChangeTopic, changeTopics, topicsOf } from "./store/ChangeTopics.ts"
export { clientClaim } from "./store/Claims.ts"
export { type JobKind, JobKinds } from "./store/JobKinds.ts"
export type { CustomerTie, FieldValue, ListedValue } from "./store/KindRow.ts"
export { type DataOf, type Kind, Kinds } from "./store/Kinds.ts"
export * as LedgerAccounts from "./store/LedgerAccounts.ts"
export { listFieldsOf } from "./store/ListFields.ts"
export * as Placeholders from "./store/Placeholders.ts"
export { misplacedIn } from "./store/Placement.ts"
export { receiptRetentionMillis } from "./store/Receipts.ts"
export { reserveFor } from "./store/Sharing.ts"
export * as StateGate from "./store/StateGate.ts"
export {
  hasCredentials,
  ImageInvalid,
  isKeptByReset,
  isPossibleLead,
  kindsOfPlatform,
  kindsOfServer,
  StateImages,
  withoutCredentials,
} from "./store/StateImages.ts"
export * from "./store/Store.ts"
export * as TrialBalance from "./store/TrialBalance.ts"
export { assertValid } from "./store/Validity.ts"
export * as WorkSignal from "./store/WorkSignal.ts"
