/**
 * Cards of customers, and the keys by which the service draws on the wallets that fund them.
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

const params = { cardId: pathId("card") }
const keyParams = { delegatedKeyId: pathId("delegated key") }
const view = { tokenPermission: "VIEW" } as const
const manage = { tokenPermission: "MANAGE" } as const
const challenged = accepted(SignedRequestChallenge)

export const CardsApi = HttpApiGroup.make("cards")
  .add(
    HttpApiEndpoint.get("listCards", "/cards", {
      query: {
        cardholderId: idFilter("Customer"),
        accountId: idFilter("InternalAccount"),
        platformCardId: exactly("Exactly this id of the platform's own."),
        state: Schema.optionalKey(CardState),
        ...paging,
        ...sorting,
      },
      success: CardListResponse,
      error: failures(400, 501),
    })
      .annotate(Access, view)
      .annotateMerge(
        documented(
          "listCards",
          "List cards",
          "The cards that match all filters, newest first; `accountId`: those that this internal account funds.",
        ),
      ),
    HttpApiEndpoint.post("createCard", "/cards", {
      payload: CardCreateRequest,
      success: created(CardResource),
      error: failures(400, 404, 409, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "createCard",
          "Issue a card",
          "Answers with the card in `PROCESSING`; `CARD.STATE_CHANGE` tells when it is `ACTIVE`, or `CLOSED` because the issuer rejected it. The cardholder is a person whose `kycStatus` is `APPROVED`. 409 when the `platformCardId` is, or was, another card's.",
        ),
      ),
    HttpApiEndpoint.get("getCard", "/cards/:cardId", { params, success: CardResource, error: failures(404, 501) })
      .annotate(Access, view)
      .annotateMerge(documented("getCard", "Get a card", "One card.")),
    HttpApiEndpoint.patch("updateCard", "/cards/:cardId", {
      params,
      headers: signedRetry,
      payload: CardUpdateRequest,
      success: [CardResource, challenged],
      error: failures(400, 404, 409, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "updateCard",
          "Change a card",
          "Freezes, unfreezes (`ACTIVE`) or closes it, replaces its funding sources, or sets its limit. A frozen or closed card declines new authorizations; what was authorized before still clears. `CLOSED` is final. A request with `fundingSources` is signed by any session of any of the cardholder's embedded wallets: 202 first, then 200 with all that it changes; 200 at once only where the cardholder has no wallet credential. Everything else is 200 at once.",
        ),
      ),
    HttpApiEndpoint.post("revealCard", "/cards/:cardId/reveal", {
      params,
      success: CardRevealResponse,
      error: failures(404, 409, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "revealCard",
          "Reveal a card",
          "A fresh signed address for a frame that shows number, code and expiry to the cardholder for a few minutes. Ask for one each time, right before it is shown; never store, cache or log it. Every reveal is audited. Only for a card that is `ACTIVE` or `FROZEN`.",
        ),
      ),
    HttpApiEndpoint.post("createDelegatedKey", "/auth/delegated-keys", {
      headers: signedRetry,
      payload: DelegatedKeyCreateRequest,
      success: [created(DelegatedKeyResource), challenged],
      error: failures(400, 404, 409, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "createDelegatedKey",
          "Delegate a key",
          "Lets the service sign for the embedded wallet that funds a card. Three calls with the same body: 202; signed by any session of the wallet, 202 with another request; that one signed by the same session, 201 with the key `ACTIVE`. Abandoned after the second it stays `PENDING`, and harmless. 409 while another key of the funding source is active.",
        ),
      ),
    HttpApiEndpoint.get("listDelegatedKeys", "/auth/delegated-keys", {
      query: { accountId: idFilter("InternalAccount"), fundingSourceId: idFilter("CardFundingSource") },
      success: DelegatedKeyListResponse,
      error: failures(400, 501),
    })
      .annotate(Access, view)
      .annotateMerge(
        documented(
          "listDelegatedKeys",
          "List delegated keys",
          "The keys of an account or of a funding source, in every status. At least one filter is needed.",
        ),
      ),
    HttpApiEndpoint.get("getDelegatedKey", "/auth/delegated-keys/:delegatedKeyId", {
      params: keyParams,
      success: DelegatedKeyResource,
      error: failures(404, 501),
    })
      .annotate(Access, view)
      .annotateMerge(documented("getDelegatedKey", "Get a delegated key", "One delegated key.")),
    HttpApiEndpoint.delete("revokeDelegatedKey", "/auth/delegated-keys/:delegatedKeyId", {
      params: keyParams,
      success: HttpApiSchema.NoContent,
      error: failures(400, 404, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "revokeDelegatedKey",
          "Revoke a delegated key",
          "The service draws on the wallet no more. Only an `ACTIVE` key can be revoked; it needs no signature.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Cards", description: "Cards that pay from internal accounts." }))
