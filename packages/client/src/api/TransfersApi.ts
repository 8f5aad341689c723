/**
 * Same-currency transfers between internal and external accounts.
 * Spec: 4.5; wire contract 5.1 and 5.6.
 */
import { TransactionResource, TransferInRequest, TransferOutRequest } from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { idempotencyKey } from "./Parameters.ts"
import { created } from "./Statuses.ts"

const createdResource = created(TransactionResource)

export const TransfersApi = HttpApiGroup.make("transfers")
  .add(
    HttpApiEndpoint.post("createTransferIn", "/transfer-in", {
      headers: idempotencyKey,
      payload: TransferInRequest,
      success: createdResource,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "TRANSACT", isIdempotent: true })
      .annotateMerge(
        documented(
          "createTransferIn",
          "Create a transfer-in",
          "Pulls money from an external to an internal account of the same customer, in one currency. The transaction is `PENDING`, and its outcome follows as events.",
        ),
      ),
    HttpApiEndpoint.post("createTransferOut", "/transfer-out", {
      headers: idempotencyKey,
      payload: TransferOutRequest,
      success: createdResource,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "TRANSACT", isIdempotent: true })
      .annotateMerge(
        documented(
          "createTransferOut",
          "Create a transfer-out",
          "Pays money from an internal to an external account of the same customer, in one currency. The amount is held at once; a transfer that fails or is returned is refunded.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Transfers", description: "Same-currency transfers of a platform." }))
