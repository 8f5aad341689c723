/** The list of all rule lists that answer requests, by which a run tells which rows it reached. */
import { CreationRules } from "./account/ExternalAccountRules.ts"
import { AccessRules, SpendingRules } from "./agent/PolicyRules.ts"
import { WithdrawalFeeRules } from "./receiver/WithdrawalFeeRules.ts"
import { TransferInRules } from "./transaction/TransferInRules.ts"
import { TransferOutRules } from "./transaction/TransferOutRules.ts"

export const ruleLists: ReadonlyArray<{
  readonly name: string
  readonly rows: ReadonlyArray<{ readonly name: string }>
}> = [AccessRules, SpendingRules, CreationRules, TransferInRules, TransferOutRules, WithdrawalFeeRules]
