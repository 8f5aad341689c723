/**
 * What the operator of a platform does when something went wrong: additions of this service.
 * Source: D-354, D-355, D-356.
 */
import {
  CustomerAccessEnd,
  ParkedJobListResponse,
  ParkedJobResource,
  TransactionResource,
  UnappliedApplyRequest,
  UnappliedMoneyListResponse,
  UnappliedMoneyResource,
} from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { extension } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { idempotencyKey, paging, pathId, sorting } from "./Parameters.ts"

const manage = { tokenPermission: "MANAGE" } as const

export const OperationsApi = HttpApiGroup.make("operations")
  .add(
    HttpApiEndpoint.get("listParkedJobs", "/jobs/parked", {
      query: paging,
      success: ParkedJobListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        extension(
          "listParkedJobs",
          "List parked jobs",
          "Work that was given up after too many failures, the oldest first. A parked job waits until it is resumed or dropped.",
        ),
      ),
    HttpApiEndpoint.post("resumeJob", "/jobs/:jobId/resume", {
      params: { jobId: pathId("parked job") },
      success: ParkedJobResource,
      error: failures(404),
    })
      .annotate(Access, manage)
      .annotateMerge(
        extension("resumeJob", "Resume a parked job", "The job is due at once, and its retries begin again."),
      ),
    HttpApiEndpoint.post("dropJob", "/jobs/:jobId/drop", {
      params: { jobId: pathId("parked job") },
      success: ParkedJobResource,
      error: failures(404, 409),
    })
      .annotate(Access, manage)
      .annotateMerge(
        extension(
          "dropJob",
          "Drop a parked job",
          "Deletes the job, if no record waits for its end: see `isDroppable`. Only the operator of the deployment can drop the others.",
        ),
      ),
    HttpApiEndpoint.get("listUnappliedMoney", "/unapplied-money", {
      query: { ...paging, ...sorting },
      success: UnappliedMoneyListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        extension(
          "listUnappliedMoney",
          "List unapplied money",
          "Money that came in, or came back, and that its account could not take.",
        ),
      ),
    HttpApiEndpoint.post("applyUnappliedMoney", "/unapplied-money/:transactionId/apply", {
      params: { transactionId: pathId("transaction") },
      headers: idempotencyKey,
      payload: UnappliedApplyRequest,
      success: UnappliedMoneyResource,
      error: failures(404, 409),
    })
      .annotate(Access, { ...manage, isIdempotent: true })
      .annotateMerge(
        extension(
          "applyUnappliedMoney",
          "Apply unapplied money",
          "Credits the money to an internal account of its owner, whose debts it repays first.",
        ),
      ),
    HttpApiEndpoint.post("retryRefund", "/transactions/:transactionId/refund/retry", {
      params: { transactionId: pathId("transaction") },
      success: TransactionResource,
      error: failures(404, 409),
    })
      .annotate(Access, manage)
      .annotateMerge(
        extension(
          "retryRefund",
          "Retry a failed refund",
          "Asks the rail again whether the money is back. Until it is, the money stays unapplied.",
        ),
      ),
    HttpApiEndpoint.post("endCustomerAccess", "/customers/:customerId/end-access", {
      params: { customerId: pathId("customer") },
      success: CustomerAccessEnd,
      error: failures(404),
    })
      .annotate(Access, manage)
      .annotateMerge(
        extension(
          "endCustomerAccess",
          "End a customer's sessions and tokens",
          "Revokes the sessions of its embedded wallets, and the tokens and open device codes of its agents. Agents, credentials and money stay.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({ title: "Operations", description: "What an operator does when something went wrong." }),
  )
