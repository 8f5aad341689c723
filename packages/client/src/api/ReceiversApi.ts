/**
 * Receivers and costs: lookups, providers of UMA addresses, fees of withdrawals.
 * Source: wire contract 5.1, 5.8 and 5.10.
 */
import {
  atMost,
  CountryCode,
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
    Id("Customer").annotate({ description: "The customer who wants to pay. Default: the platform itself." }),
  ),
  senderUmaAddress: exactly("The UMA address of the customer who wants to pay."),
}

export const ReceiversApi = HttpApiGroup.make("receivers")
  .add(
    HttpApiEndpoint.get("lookupUma", "/receiver/uma/:receiverUmaAddress", {
      params: {
        receiverUmaAddress: Schema.String.check(atMost("pathId")).annotate({
          description: "For example `$name@example.com`, raw or percent-encoded.",
        }),
      },
      query: sender,
      success: ReceiverUmaLookupResponse,
      error: failures(404, 412, 424, 501),
    })
      .annotate(Access, view)
      .annotateMerge(
        documented(
          "lookupUma",
          "Look up a UMA address",
          "The currencies that the receiver accepts, approximate rates, and the data that it requires about the payer. `lookupId` is for the quote.",
        ),
      ),
    HttpApiEndpoint.get("lookupExternalAccount", "/receiver/external-account/:accountId", {
      params: { accountId: pathId("external account") },
      query: sender,
      success: ReceiverExternalAccountLookupResponse,
      error: failures(404, 412, 424),
    })
      .annotate(Access, view)
      .annotateMerge(
        documented(
          "lookupExternalAccount",
          "Look up an external account",
          "The currency that the account receives, an approximate rate and the limits.",
        ),
      ),
    HttpApiEndpoint.get("getAvailableUmaProviders", "/uma-providers", {
      query: {
        countryCode: Schema.optionalKey(CountryCode.annotate({ description: "Only providers of this country." })),
        currencyCode: Schema.optionalKey(CurrencyCode),
        hasBlockedProviders: flag("Whether blocked providers are included. Default: true."),
        ...paging,
        ...sorting,
      },
      success: UmaProviderListResponse,
      error: failures(),
    })
      .annotate(Access, view)
      .annotateMerge(
        documented("getAvailableUmaProviders", "List UMA providers", "Providers of UMA addresses, by domain."),
      ),
    HttpApiEndpoint.post("estimateCryptoWithdrawalFee", "/crypto/estimate-withdrawal-fee", {
      payload: EstimateCryptoWithdrawalFeeRequest,
      success: EstimateCryptoWithdrawalFeeResponse,
      error: failures(404, 501),
    })
      .annotate(Access, view)
      .annotateMerge(
        documented(
          "estimateCryptoWithdrawalFee",
          "Estimate the fee of a withdrawal",
          "The cost of withdrawing a crypto asset over a network. The estimate is not binding and changes nothing.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({
      title: "Receivers",
      description: "Receivers, their currencies and the cost of sending to them.",
    }),
  )
