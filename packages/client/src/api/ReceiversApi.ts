/**
 * Who receives, and what it costs to send: lookups, providers of UMA addresses, fees of withdrawals.
 * Source: wire contract 5.1, 5.8 and 5.10.
 */
import {
  CurrencyCode,
  EstimateCryptoWithdrawalFeeRequest,
  EstimateCryptoWithdrawalFeeResponse,
  Id,
  ReceiverExternalAccountLookupResponse,
  ReceiverUmaLookupResponse,
  UmaProviderListResponse,
} from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { exactly, flag, paging, pathId, sorting } from "./Parameters.ts"

const view = { tokenPermission: "VIEW" } as const

const sender = {
  customerId: Schema.optionalKey(
    Id("Customer").annotate({ description: "Who wants to pay; absent: the platform itself." }),
  ),
  senderUmaAddress: exactly("The UMA address of the customer who wants to pay."),
}

export const ReceiversApi = HttpApiGroup.make("receivers")
  .add(
    HttpApiEndpoint.get("lookupUma", "/receiver/uma/:receiverUmaAddress", {
      params: {
        receiverUmaAddress: Schema.String.annotate({ description: "Such as `$name@example.com`, raw or encoded." }),
      },
      query: sender,
      success: ReceiverUmaLookupResponse,
      error: failures(400, 404, 412, 424, 501),
    })
      .annotate(Access, view)
      .annotateMerge(
        documented(
          "lookupUmaReceiver",
          "Look up a UMA address",
          "In which currencies it receives, at about which rate, and what it wants to know of who pays. `lookupId` is for the quote.",
        ),
      ),
    HttpApiEndpoint.get("lookupExternalAccount", "/receiver/external-account/:accountId", {
      params: { accountId: pathId("external account") },
      query: sender,
      success: ReceiverExternalAccountLookupResponse,
      error: failures(400, 404),
    })
      .annotate(Access, view)
      .annotateMerge(
        documented(
          "lookupExternalAccountReceiver",
          "Look up an external account",
          "In which currency it receives, at about which rate and within which bounds.",
        ),
      ),
    HttpApiEndpoint.get("listUmaProviders", "/uma-providers", {
      query: {
        countryCode: Schema.optionalKey(
          Schema.String.check(
            Schema.isPattern(/^[A-Z]{2}$/u, { expected: "an ISO 3166-1 alpha-2 country code, such as US" }),
          ).annotate({ description: "Only providers of this country." }),
        ),
        currencyCode: Schema.optionalKey(CurrencyCode),
        hasBlockedProviders: flag("Whether those that may not be paid are shown, too; true when absent."),
        ...paging,
        ...sorting,
      },
      success: UmaProviderListResponse,
      error: failures(400),
    })
      .annotate(Access, view)
      .annotateMerge(documented("listUmaProviders", "List UMA providers", "Who keeps UMA addresses, by domain.")),
    HttpApiEndpoint.post("estimateWithdrawalFee", "/crypto/estimate-withdrawal-fee", {
      payload: EstimateCryptoWithdrawalFeeRequest,
      success: EstimateCryptoWithdrawalFeeResponse,
      error: failures(400, 404, 501),
    })
      .annotate(Access, view)
      .annotateMerge(
        documented(
          "estimateCryptoWithdrawalFee",
          "Estimate the fee of a withdrawal",
          "What it would cost to take a crypto asset out over a network. It promises and changes nothing.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({ title: "Receivers", description: "Who receives, in which currencies, and at what cost." }),
  )
