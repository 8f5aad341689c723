/**
 * The books of a platform: its trial balance, the entries of a ledger account, and the transfers of a transaction.
 * Source: architecture, "The Store port" (Ledger); D-454.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { toAccountList, toEntryList, toTransfers, toTrialBalance } from "../../decision/ledger/BookAnswers.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { encodeCursor, limitDefault } from "../../foundation/kit/Page.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type {
  LedgerAccountListResponse,
  LedgerEntryListResponse,
  LedgerTransfersResponse,
  TrialBalanceResponse,
} from "../../model/ledger/BooksResource.ts"
import { positionAfter } from "../../operation/Listing.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** A page of a list of the books. */
export interface EntriesQuery {
  readonly limit?: number
  readonly cursor?: string
}

/** A page of the ledger accounts, and its filters. */
export interface AccountsQuery extends EntriesQuery {
  /** What the account is for, as the trial balance names it. */
  readonly role?: string
  readonly currency?: CurrencyCode
}

export class PlatformBooks extends Context.Service<
  PlatformBooks,
  {
    readonly trialBalance: Reply<TrialBalanceResponse>
    /** Lists the ledger accounts that have entries, by id. */
    readonly accounts: (query: AccountsQuery) => Reply<LedgerAccountListResponse>
    /** Lists the entries of a ledger account, newest first. Errors: 404 for an account that is not in the platform's books. */
    readonly entries: (ledgerAccount: string, query: EntriesQuery) => Reply<LedgerEntryListResponse>
    /** Returns the transfers of a transaction, in order. Errors: 404 if the platform's books have none. */
    readonly transfers: (reference: string) => Reply<LedgerTransfersResponse>
  }
>()("@countersign/core/PlatformBooks") {
  static readonly layer = Layer.effect(
    PlatformBooks,
    Effect.gen(function* () {
      const store = yield* Store

      const trialBalance = Effect.gen(function* () {
        const totals = yield* store.balanceTotals
        return toTrialBalance(totals, yield* Clock.currentTimeMillis)
      })

      const accounts = Effect.fnUntraced(function* ({ cursor, limit = limitDefault, ...filters }: AccountsQuery) {
        const binding = { list: "ledger-accounts", ...filters }
        const position = yield* positionAfter(cursor, binding)
        const after = position === undefined ? {} : { after: position.id }
        const page = yield* store.accountBalances({ limit, ...filters, ...after })
        const last = page.hasMore ? page.accounts.at(-1) : undefined
        return toAccountList(
          page,
          last === undefined ? undefined : encodeCursor({ createdAt: 0, id: last.account }, binding),
        )
      }, platformOnly)

      const entries = Effect.fnUntraced(function* (account: string, { cursor, limit = limitDefault }: EntriesQuery) {
        const binding = { ledgerAccount: account }
        const after = yield* positionAfter(cursor, binding)
        const page = yield* store.accountEntries({
          account,
          limit,
          // The position of an entry is its sequence.
          ...(after === undefined ? {} : { before: after.createdAt }),
        })
        if (page === undefined) return yield* new ServiceError(notFound("ledger account"))
        const last = page.hasMore ? page.entries.at(-1) : undefined
        return toEntryList(
          page,
          last === undefined ? undefined : encodeCursor({ createdAt: last.sequence, id: "" }, binding),
        )
      }, platformOnly)

      const transfers = Effect.fnUntraced(function* (reference: string) {
        const postings = yield* store.ownPostings(reference)
        if (postings.length === 0) return yield* new ServiceError(notFound("ledger transfer"))
        return toTransfers(reference, postings)
      }, platformOnly)

      return PlatformBooks.of({ trialBalance: platformOnly(trialBalance), accounts, entries, transfers })
    }),
  )
}
