/**
 * Internal accounts on the wire.
 * Source: wire contract 5.9; wire contract areas 2.12.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { CurrencyAmount, currencyAmount } from "../../foundation/money/Amount.ts"
import type { RecordOf } from "../record/Record.ts"
import { DepositSource } from "./Deposit.ts"
import type { InternalAccount } from "./InternalAccount.ts"
import { InternalAccountStatus, InternalAccountType } from "./InternalAccount.ts"
import { PaymentInstructions } from "./PaymentInstruction.ts"

export const InternalAccountResource = Schema.Struct({
  id: Id("InternalAccount"),
  customerId: Schema.optionalKey(Id("Customer").annotate({ description: "Absent: an account of the platform." })),
  type: InternalAccountType,
  status: InternalAccountStatus,
  balance: CurrencyAmount.pipe(Schema.annotateKey({ description: "Available to spend." })),
  totalBalance: CurrencyAmount.pipe(Schema.annotateKey({ description: "With pending and held funds." })),
  fundingPaymentInstructions: Schema.Array(PaymentInstructions).annotate({
    description: "Where a payer sends money to fund the account; empty unless the account is active.",
  }),
  privateEnabled: Schema.optionalKey(Schema.Boolean.annotate({ description: "Embedded wallets only." })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "InternalAccount" })
export type InternalAccountResource = typeof InternalAccountResource.Type

/** A page of internal accounts with their balances, newest first. */
export const InternalAccountListResponse = PageOf(InternalAccountResource, "InternalAccountListResponse")

/** All accounts of the platform, without paging. */
export const PlatformInternalAccountListResponse = Schema.Struct({
  data: Schema.Array(InternalAccountResource),
}).annotate({
  identifier: "PlatformInternalAccountListResponse",
})

/** Funds an account in the sandbox. Spec: 4.6. */
export const SandboxFundRequest = Schema.Struct({
  amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000_000_000 })).annotate({
    description: "Integer in the smallest unit of the account's currency.",
  }),
  source: Schema.optionalKey(
    DepositSource.annotate({ description: "The simulated sender; missing members are filled in." }),
  ),
}).annotate({ identifier: "SandboxFundRequest" })

export const toInternalAccount = (
  stored: RecordOf<"InternalAccount", InternalAccount>,
  balances: { readonly available: number; readonly held: number },
  instructions: ReadonlyArray<PaymentInstructions> = [],
): InternalAccountResource => ({
  id: stored.id,
  ...(stored.customerId === null ? {} : { customerId: stored.customerId }),
  type: stored.data.type,
  status: stored.data.status,
  balance: currencyAmount(balances.available, stored.data.currency),
  totalBalance: currencyAmount(balances.available + balances.held, stored.data.currency),
  fundingPaymentInstructions: instructions,
  ...(stored.data.type === "EMBEDDED_WALLET" ? { privateEnabled: stored.data.privateEnabled ?? false } : {}),
  createdAt: iso(stored.createdAt),
  updatedAt: iso(stored.updatedAt),
})
