/** The books of a platform: each handler calls its service. D-454. */

import { Api } from "@countersign/client/api"
import { BankReports, PlatformBooks } from "@countersign/core"
import { Effect } from "effect"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "operatorBooks",
  Effect.fnUntraced(function* (handlers) {
    const books = yield* PlatformBooks
    const banks = yield* BankReports
    return handlers.handleAll(
      yield* answering(handlers, {
        getTrialBalance: () => ok(books.trialBalance),
        listLedgerAccounts: ({ query }) => ok(books.accounts(query)),
        listLedgerEntries: ({ params, query }) => ok(books.entries(params.ledgerAccount, query)),
        getLedgerTransfers: ({ params }) => ok(books.transfers(params.reference)),
        getReconciliation: ({ query }) => ok(banks.reconcile(query)),
      }),
    )
  }),
)
