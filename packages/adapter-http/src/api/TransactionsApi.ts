/**
 * Transactions.
 * Source: wire contract 5.1 and 5.7.
 */
import { IncomingTransactionResource } from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { pathId } from "./Parameters.ts"

export const TransactionsApi = HttpApiGroup.make("transactions")
  .add(
    HttpApiEndpoint.get("getTransaction", "/transactions/:transactionId", {
      params: { transactionId: pathId("transaction") },
      success: IncomingTransactionResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented(
          "getTransaction",
          "Get a transaction",
          "One transaction. Poll it every 2 to 10 seconds until its status is final.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Transactions", description: "Movements of money." }))
