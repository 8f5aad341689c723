/**
 * Loads what card transactions are decided on: funding sources with their balances, and transactions with their account.
 * Source: wire contract 3.5.
 */
import { Effect } from "effect"
import { type LoadedSource, needsKey } from "../../decision/card/CardAuthorizationDecision.ts"
import { type CardTransactionLoaded, transactionNotFound } from "../../decision/card/CardTransactionDecision.ts"
import { notFound } from "../../foundation/errors/ServiceError.ts"
import { where } from "../../operation/Listing.ts"
import type { Read } from "../../operation/Operation.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { Store } from "../../store/Store.ts"
import { readCard } from "./CardReads.ts"

const activeKey = Effect.fnUntraced(function* (fundingSourceId: string) {
  const store = yield* Store
  const filters = where({ fundingSourceId, status: "ACTIVE" })
  return (yield* store.list("DelegatedKey", filters, { limit: 1, order: "desc" })).data[0]
})

const transactionOfToken = Effect.fnUntraced(function* (issuerTransactionToken: string) {
  const store = yield* Store
  const page = yield* store.list("CardTransaction", where({ issuerTransactionToken }), { limit: 1, order: "desc" })
  return page.data[0]
})

/** Loads the funding sources of a card, in order. Their keys are loaded only if the issuer needs them. */
const loadSources = Effect.fnUntraced(function* (read: Read, card: Stored<"Card">, needsDelegatedKeys: boolean) {
  const { data } = card
  const receivable = Ledger.receivable(card, data.currency).id
  const found = yield* read({
    records: data.fundingSources.map(({ accountId: id }) => ({ kind: "InternalAccount", id })),
    balances: [...data.fundingSources.map(({ accountId }) => Ledger.available(accountId)), receivable],
  })
  const sources = yield* Effect.forEach(
    data.fundingSources,
    Effect.fnUntraced(function* ({ accountId, id }) {
      const account = found.record("InternalAccount", accountId)
      if (account === undefined) return []
      const source: LoadedSource = {
        account,
        available: found.balance(Ledger.available(accountId)),
        owed: found.balance(receivable),
        key: needsKey(account, needsDelegatedKeys) ? yield* activeKey(id) : undefined,
      }
      return [source]
    }),
  )
  return sources.flat()
})

/** Loads what an authorization is decided on. */
export const loadAuthorization = Effect.fnUntraced(function* (
  read: Read,
  { cardId, issuerTransactionToken }: { readonly cardId: string; readonly issuerTransactionToken: string },
  needsDelegatedKeys: boolean,
) {
  const card = yield* readCard(read, cardId)
  const cardholder = yield* readExisting(read, "Customer", card.customerId ?? "", notFound("card"))
  const sources = yield* loadSources(read, card, needsDelegatedKeys)
  return { card, cardholder, sources, known: yield* transactionOfToken(issuerTransactionToken) }
})

/** Loads a transaction with its account and balances. Errors: `TRANSACTION_NOT_FOUND`. */
export const loadTransaction = Effect.fnUntraced(function* <E>(read: Read<E>, id: string) {
  const transaction = yield* readExisting(read, "CardTransaction", id, transactionNotFound)
  const { accountId, currency } = transaction.data
  const receivable = Ledger.receivable(transaction, currency).id
  const found = yield* read({
    records: [{ kind: "InternalAccount", id: accountId }],
    balances: [Ledger.available(accountId), receivable],
  })
  const account = found.record("InternalAccount", accountId)
  if (account === undefined) return yield* Effect.die(new Error(`The account ${accountId} of ${id} does not exist.`))
  const loaded: CardTransactionLoaded = {
    transaction,
    account,
    available: found.balance(Ledger.available(accountId)),
    owed: found.balance(receivable),
  }
  return loaded
})

/** Loads a transaction and the card that a message names. */
export const loadMessage = Effect.fnUntraced(function* (read: Read, cardId: string, cardTransactionId: string) {
  const card = yield* readCard(read, cardId)
  return { card, ...(yield* loadTransaction(read, cardTransactionId)) }
})
