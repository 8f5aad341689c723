/**
 * Cards of customers, and the delegated keys with which the service signs for the wallets that fund them.
 * Spec: 4.4; wire contract 3.1 and 4.11.
 */
import {
  CardCreateRequest,
  CardListResponse,
  CardResource,
  CardRevealResponse,
  CardState,
  CardUpdateRequest,
  DelegatedKeyCreateRequest,
  DelegatedKeyListResponse,
  DelegatedKeyResource,
  SignedRequestChallenge,
} from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { exactly, idFilter, paging, pathId, signedRetry, sorting } from "./Parameters.ts"
import { accepted, created } from "./Statuses.ts"

const params = { id: pathId("card") }
const keyParams = { id: pathId("delegated key") }
const view = { tokenPermission: "VIEW" } as const
const manage = { tokenPermission: "MANAGE" } as const
const challenged = accepted(SignedRequestChallenge)

export const CardsApi = HttpApiGroup.make("cards")
  .add(
    HttpApiEndpoint.get("listCards", "/cards", {
      query: {
        cardholderId: idFilter("Customer"),
        accountId: idFilter("InternalAccount"),
        platformCardId: exactly("Only the card with this id of the platform."),
        state: Schema.optionalKey(CardState),
        ...paging,
        ...sorting,
      },
      success: CardListResponse,
      error: failures(501),
    })
      .annotate(Access, view)
      .annotateMerge(
        documented(
          "listCards",
          "List cards",
          "The cards that match all filters, newest first. `accountId` selects the cards that this internal account funds.",
        ),
      ),
    HttpApiEndpoint.post("createCard", "/cards", {
      payload: CardCreateRequest,
      success: created(CardResource),
      error: failures(404, 409, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "createCard",
          "Issue a card",
          "Returns the card in `PROCESSING`. `CARD.STATE_CHANGE` reports when it is `ACTIVE`, or `CLOSED` because the issuer rejected it. The cardholder must be a person whose `kycStatus` is `APPROVED`. 409 if another card has, or had, the `platformCardId`.",
        ),
      ),
    HttpApiEndpoint.get("getCardById", "/cards/:id", { params, success: CardResource, error: failures(404, 501) })
      .annotate(Access, { ...view, isForConsole: true })
      .annotateMerge(documented("getCardById", "Get a card", "One card.")),
    HttpApiEndpoint.patch("updateCardById", "/cards/:id", {
      params,
      headers: signedRetry,
      payload: CardUpdateRequest,
      success: [CardResource, challenged],
      error: failures(404, 409, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "updateCardById",
          "Change a card",
          "Freezes, unfreezes (`ACTIVE`) or closes the card, replaces its funding sources, or sets its limit. A frozen or closed card declines new authorizations; earlier authorizations still clear. `CLOSED` is final. A request with `fundingSources` is signed by any session of any embedded wallet of the cardholder: 202 first, then 200 with all changes; 200 at once if the cardholder has no wallet credential. Any other request is 200 at once.",
        ),
      ),
    HttpApiEndpoint.post("revealCard", "/cards/:id/reveal", {
      params,
      success: CardRevealResponse,
      error: failures(404, 409, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "revealCard",
          "Reveal a card",
          "Returns a new signed URL of a frame that shows number, code and expiry to the cardholder for a few minutes. Request one right before each display; never store, cache or log it. Every reveal is audited. The card must be `ACTIVE` or `FROZEN`.",
        ),
      ),
    HttpApiEndpoint.post("createDelegatedKey", "/auth/delegated-keys", {
      headers: signedRetry,
      payload: DelegatedKeyCreateRequest,
      success: [created(DelegatedKeyResource), challenged],
      error: failures(404, 409, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "createDelegatedKey",
          "Delegate a key",
          "Lets the service sign for the embedded wallet that funds a card. It takes three calls with the same body: the first is a 202; the second, signed by any session of the wallet, is a 202 with another request; the third, signed by the same session, is a 201 with the key `ACTIVE`. A key without the third call stays `PENDING` and cannot sign. 409 while another key of the funding source is active.",
        ),
      ),
    HttpApiEndpoint.get("listDelegatedKeys", "/auth/delegated-keys", {
      query: { accountId: idFilter("InternalAccount"), fundingSourceId: idFilter("CardFundingSource") },
      success: DelegatedKeyListResponse,
      error: failures(501),
    })
      .annotate(Access, view)
      .annotateMerge(
        documented(
          "listDelegatedKeys",
          "List delegated keys",
          "The keys of an account or of a funding source, in every status. At least one filter is required.",
        ),
      ),
    HttpApiEndpoint.get("getDelegatedKeyById", "/auth/delegated-keys/:id", {
      params: keyParams,
      success: DelegatedKeyResource,
      error: failures(404, 501),
    })
      .annotate(Access, { ...view, isForConsole: true })
      .annotateMerge(documented("getDelegatedKeyById", "Get a delegated key", "One delegated key.")),
    HttpApiEndpoint.delete("revokeDelegatedKey", "/auth/delegated-keys/:id", {
      params: keyParams,
      success: HttpApiSchema.NoContent,
      error: failures(404, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "revokeDelegatedKey",
          "Revoke a delegated key",
          "The service can no longer sign for the wallet. Only an `ACTIVE` key can be revoked; no signature is required.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Cards", description: "Cards that pay from internal accounts." }))
