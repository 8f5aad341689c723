/**
 * The books of a platform, for its operator: additions of this service.
 * Source: D-454.
 */
import {
  CurrencyCode,
  LedgerAccountListResponse,
  LedgerEntryListResponse,
  LedgerTransfersResponse,
  ReconciliationResponse,
  TrialBalanceResponse,
} from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { extension } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { day, exactly, paging, pathId } from "./Parameters.ts"

const view = { tokenPermission: "VIEW", isForConsole: true } as const

export const OperatorBooksApi = HttpApiGroup.make("operatorBooks")
  .add(
    HttpApiEndpoint.get("getTrialBalance", "/operator/books/trial-balance", {
      success: TrialBalanceResponse,
      error: failures(),
    })
      .annotate(Access, view)
      .annotateMerge(
        extension(
          "getTrialBalance",
          "Get the trial balance",
          "The balances of all ledger accounts of the platform, summed by currency and role. In each currency the debit and the credit balances are equal.",
        ),
      ),
    HttpApiEndpoint.get("listLedgerAccounts", "/operator/books/accounts", {
      query: {
        role: exactly("Only ledger accounts of this role, such as `available`."),
        currency: Schema.optionalKey(CurrencyCode),
        ...paging,
      },
      success: LedgerAccountListResponse,
      error: failures(),
    })
      .annotate(Access, view)
      .annotateMerge(
        extension(
          "listLedgerAccounts",
          "List ledger accounts",
          "The ledger accounts of the platform that have entries, with their balances, by id.",
        ),
      ),
    HttpApiEndpoint.get("listLedgerEntries", "/operator/books/accounts/:ledgerAccount/entries", {
      params: { ledgerAccount: pathId("ledger account, such as `available:` and the id of an internal account") },
      query: paging,
      success: LedgerEntryListResponse,
      error: failures(404),
    })
      .annotate(Access, view)
      .annotateMerge(
        extension(
          "listLedgerEntries",
          "List the entries of a ledger account",
          "Newest first, each with the balance after it and the ledger account of its other side. Entries never change, and their sum is the balance.",
        ),
      ),
    HttpApiEndpoint.get("getLedgerTransfers", "/operator/books/transfers/:reference", {
      params: { reference: pathId("transaction, or of what else moved the money") },
      success: LedgerTransfersResponse,
      error: failures(404),
    })
      .annotate(Access, view)
      .annotateMerge(
        extension(
          "getLedgerTransfers",
          "Get the ledger transfers of a transaction",
          "From which ledger account to which one the money of a transaction moved, in order. 404 if it has moved none.",
        ),
      ),
    HttpApiEndpoint.get("getReconciliation", "/operator/books/reconciliation", {
      query: {
        bank: exactly("Only this bank."),
        from: day("The first day; absent: 13 days before `to`."),
        to: day("The last day; absent: today. A period has at most 31 days."),
      },
      success: ReconciliationResponse,
      error: failures(),
    })
      .annotate(Access, view)
      .annotateMerge(
        extension(
          "getReconciliation",
          "Reconcile the banks",
          "Compares the statement lines of the deployment's banks with the orders and the ledger of the platform. It changes nothing. Lines that are about no order are shown to a platform that is the only one of the deployment.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({ title: "Books", description: "The double-entry ledger of a platform, for its operator." }),
  )
