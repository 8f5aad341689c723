/**
 * The ledger accounts of internal accounts. Available and held are two accounts. External money moves through one
 * outside account per owner and currency, whose balance is the money paid out minus the money received.
 * Source: architecture, "The Store port" (Ledger).
 */
import * as Table from "../foundation/kit/Table.ts"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { Owner } from "../model/record/Record.ts"
import type { LedgerAccount, Placeholder } from "./ChangeSet.ts"

/** The roles of ledger accounts, each with its meaning and its bound. */
export const LedgerRoles = Table.make("LedgerRoles", {
  available: { floor: 0, meaning: "What the owner of an internal account can spend." },
  held: { floor: 0, meaning: "What is set aside of an internal account until a hold ends." },
  outside: { floor: null, meaning: "The counterpart of money that came in from, or left to, the outside." },
  transit: { floor: 0, meaning: "What a rail was given to pay out, until it is delivered or back." },
  receivable: {
    floor: null,
    meaning: "What an owner owes because a pull came back after it was spent (negative: owed).",
  },
  exchange: { floor: null, meaning: "What the service took in of a currency less what it gave out, by exchanging." },
  "service-fee": { floor: null, meaning: "What the service earned by exchanging (negative: what it gave back)." },
  "platform-fee": { floor: null, meaning: "What the platform earned by exchanging, until it is in its own account." },
  unapplied: { floor: 0, meaning: "Money that came in and that its account could not take: it waits for a person." },
  "unapplied-outside": { floor: null, meaning: "The counterpart of unapplied money." },
})

type OwnedRole = "outside" | "transit" | "receivable" | "exchange" | "service-fee" | "platform-fee"

/** A ledger account of an owner in one currency. */
export const ownedBy = (owner: Owner, currency: CurrencyCode, role: OwnedRole): LedgerAccount => ({
  id: `${role}:${owner.customerId ?? owner.platformId}:${currency}`,
  platformId: owner.platformId,
  customerId: owner.customerId,
  currency,
  floor: LedgerRoles.rows[role].floor,
})

/** The available balance of an internal account. */
export const available = (internalAccountId: string): string => `available:${internalAccountId}`
/** The held balance of an internal account. */
export const held = (internalAccountId: string): string => `held:${internalAccountId}`
/** The outside counterpart of an owner in one currency. */
export const outside = (owner: Owner, currency: CurrencyCode): string => ownedBy(owner, currency, "outside").id

/** An owner's money in one currency that rails are paying out. */
export const transit = (owner: Owner, currency: CurrencyCode): LedgerAccount => ownedBy(owner, currency, "transit")
/** An owner's debt in one currency. */
export const receivable = (owner: Owner, currency: CurrencyCode): LedgerAccount =>
  ownedBy(owner, currency, "receivable")

/** The account of a transaction's unapplied money, and its counterpart: a pair for each transaction. */
export const unapplied = (
  transactionId: string,
  owner: Owner,
  currency: CurrencyCode,
): { readonly from: LedgerAccount; readonly to: LedgerAccount } => {
  const { customerId, platformId } = owner
  return {
    from: { id: `unapplied-outside:${transactionId}`, platformId, customerId, currency, floor: null },
    to: { id: `unapplied:${transactionId}`, platformId, customerId, currency, floor: 0 },
  }
}

/** The ledger accounts that an internal account needs. */
export const forInternalAccount = (
  internalAccountId: string,
  owner: Owner,
  currency: CurrencyCode,
): ReadonlyArray<LedgerAccount> => {
  const { customerId, platformId } = owner
  const account = (id: string, role: keyof typeof LedgerRoles.rows): LedgerAccount => ({
    id,
    platformId,
    customerId,
    currency,
    floor: LedgerRoles.rows[role].floor,
  })
  return [
    account(available(internalAccountId), "available"),
    account(held(internalAccountId), "held"),
    ownedBy(owner, currency, "outside"),
  ]
}

/** The two balances of an internal account, as placeholders of its resource. */
export const balancePlaceholders = (internalAccountId: string): ReadonlyArray<Placeholder> => [
  { path: ["balance", "amount"], balances: [available(internalAccountId)] },
  { path: ["totalBalance", "amount"], balances: [available(internalAccountId), held(internalAccountId)] },
]
