/**
 * The operations of `DepositScreening`.
 * Source: ports/DepositScreening.ts; D-398, D-536.
 */
import { CurrencyCode, DepositSource, PendingReason } from "@countersign/core/models"
import type { ArrivedDeposit, ArrivedMoney, DepositVerdict } from "@countersign/core/ports"
import { Schema } from "effect"
import { Amount, exactly, Millis, optional, outcome, result, Text } from "./Parts.ts"
import { withoutUnknown } from "./PortOperation.ts"

const arrived = { transactionId: Text, currency: CurrencyCode, amount: Amount, source: DepositSource }

const Declaration = Schema.Struct({
  ownershipType: Schema.Literals(["FIRST_PARTY", "THIRD_PARTY"]),
  vaspName: optional(Text),
  isActive: Schema.Boolean,
}).annotate({ identifier: "WalletDeclaration" })

const Verdict = exactly<DepositVerdict>()(
  Schema.Union([
    outcome("Clear", {}),
    outcome("Hold", { reason: PendingReason, askAgainAt: optional(Millis) }),
    outcome("Refuse", { reason: Schema.Literals(["COMPLIANCE_REJECTED", "COLLECTION_FAILED", "OFFRAMP_FAILED"]) }),
  ]).annotate({ identifier: "DepositVerdict" }),
)

export const depositScreeningOperations = {
  screen: withoutUnknown({
    path: "/deposit-screening/screen",
    summary:
      "Says whether money that has arrived is credited, held or given back. `regionalHold`: the rules of a region hold it.",
    request: exactly<ArrivedDeposit>()(
      Schema.Struct({
        ...arrived,
        accountId: Text,
        customerId: Schema.NullOr(Text),
        declaration: optional(Declaration),
        regionalHold: optional(PendingReason),
      }),
    ),
    answer: Verdict,
    repetition: "none",
    deadline: "ask",
  }),
  transactionHash: withoutUnknown({
    path: "/deposit-screening/transaction-hash",
    summary: "Returns the hash of money that arrived on a chain, where the report names none, or `null`.",
    request: exactly<ArrivedMoney>()(Schema.Struct(arrived)),
    answer: result(Schema.NullOr(Text)),
    repetition: "none",
    deadline: "ask",
  }),
}
