/**
 * The operations that an agent calls with its access token.
 * Spec: 4.1; wire contract 1.1 and 1.4.
 */
import {
  AgentActionListResponse,
  AgentActionResource,
  AgentActionStatus,
  AgentResource,
  CurrencyCode,
  ExternalAccountCreateRequest,
  ExternalAccountListResponse,
  ExternalAccountResource,
  InternalAccountListResponse,
  QuoteRequest,
  QuoteResource,
  TransactionListResponse,
  TransactionResource,
  TransferInRequest,
  TransferOutRequest,
} from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { AgentCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures, unrestrictedFailures } from "./Failures.ts"
import {
  accountFilters,
  idempotencyKey,
  paging,
  pathId,
  sorting,
  transactionFilters,
  walletSignature,
} from "./Parameters.ts"
import { accepted, created } from "./Statuses.ts"

const transfer = { agentPermission: "CREATE_TRANSFERS", isRefusedWhilePaused: true, isIdempotent: true } as const
const manage = { agentPermission: "MANAGE_EXTERNAL_ACCOUNTS" } as const
const submitted = created(AgentActionResource)
const account = { externalAccountId: pathId("external account") }

/** A class, so that the type of the whole interface refers to it by name. */
export class AgentsMeApi extends HttpApiGroup.make("agentsMe")
  .add(
    HttpApiEndpoint.get("getAgentMe", "/agents/me", {
      success: AgentResource,
      error: unrestrictedFailures(),
    }).annotateMerge(
      documented("getAgentMe", "Get the calling agent", "The calling agent, with its policy and its usage so far."),
    ),
    HttpApiEndpoint.get("agentListActions", "/agents/me/actions", {
      query: {
        status: Schema.optionalKey(AgentActionStatus.annotate({ description: "Only actions of this status." })),
        ...paging,
      },
      success: AgentActionListResponse,
      error: unrestrictedFailures(),
    }).annotateMerge(
      documented(
        "agentListActions",
        "List the agent's actions",
        "Actions in any status, newest first. Poll this list for decisions.",
      ),
    ),
    HttpApiEndpoint.get("agentGetAction", "/agents/me/actions/:actionId", {
      params: { actionId: pathId("action") },
      success: AgentActionResource,
      error: unrestrictedFailures(404),
    }).annotateMerge(
      documented("agentGetAction", "Get one of the agent's actions", "One action. Poll it for the decision."),
    ),
    HttpApiEndpoint.post("agentCreateTransferIn", "/agents/me/transfer-in", {
      headers: idempotencyKey,
      payload: TransferInRequest,
      success: submitted,
      error: failures(404, 409),
    })
      .annotate(Access, transfer)
      .annotateMerge(
        documented(
          "agentCreateTransferIn",
          "Create a transfer-in",
          "Pulls money from an external to an internal account of the agent's customer. `PENDING_APPROVAL` if the policy requires it; otherwise `APPROVED` with the transaction, or `FAILED`.",
        ),
      ),
    HttpApiEndpoint.post("agentCreateTransferOut", "/agents/me/transfer-out", {
      headers: idempotencyKey,
      payload: TransferOutRequest,
      success: submitted,
      error: failures(404, 409),
    })
      .annotate(Access, transfer)
      .annotateMerge(
        documented(
          "agentCreateTransferOut",
          "Create a transfer-out",
          "Pays money from an internal to an external account of the agent's customer. `PENDING_APPROVAL` if the policy requires it; otherwise `APPROVED` with the transaction, or `FAILED`.",
        ),
      ),
    HttpApiEndpoint.post("agentCreateQuote", "/agents/me/quotes", {
      headers: idempotencyKey,
      payload: QuoteRequest,
      success: [created(QuoteResource), accepted(QuoteResource)],
      error: failures(404, 409, 412, 423, 424, 501),
    })
      .annotate(Access, { agentPermission: "CREATE_QUOTES", isRefusedWhilePaused: true, isIdempotent: true })
      .annotateMerge(
        documented(
          "agentCreateQuote",
          "Create a quote",
          "For the agent's customer. `immediatelyExecute` requires `EXECUTE_QUOTES` too, and is refused if the execution would need an approval.",
        ),
      ),
    HttpApiEndpoint.get("agentGetQuote", "/agents/me/quotes/:quoteId", {
      params: { quoteId: pathId("quote") },
      success: QuoteResource,
      error: unrestrictedFailures(404),
    }).annotateMerge(
      documented("agentGetQuote", "Get a quote", "The current state of a quote that the agent created."),
    ),
    HttpApiEndpoint.post("agentExecuteQuote", "/agents/me/quotes/:quoteId/execute", {
      params: { quoteId: pathId("quote") },
      headers: { ...idempotencyKey, ...walletSignature },
      success: AgentActionResource,
      error: failures(404, 409),
    })
      .annotate(Access, { agentPermission: "EXECUTE_QUOTES", isRefusedWhilePaused: true, isIdempotent: true })
      .annotateMerge(
        documented(
          "agentExecuteQuote",
          "Execute a quote",
          "Executes a quote that the agent created. `PENDING_APPROVAL` if the policy requires it; otherwise `APPROVED` with the transaction, or `FAILED`. A quote from an embedded wallet requires the signature of its `payloadToSign`; an action that waits for an approval stores it.",
        ),
      ),
    HttpApiEndpoint.get("agentListInternalAccounts", "/agents/me/internal-accounts", {
      query: { ...accountFilters, ...paging },
      success: InternalAccountListResponse,
      error: failures(),
    })
      .annotate(Access, { agentPermission: "VIEW_TRANSACTIONS" })
      .annotateMerge(
        documented(
          "agentListInternalAccounts",
          "List internal accounts",
          "The accounts that the agent's customer holds at the service, with their balances.",
        ),
      ),
    HttpApiEndpoint.get("agentListExternalAccounts", "/agents/me/external-accounts", {
      query: { currency: Schema.optionalKey(CurrencyCode), ...paging },
      success: ExternalAccountListResponse,
      error: failures(),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "agentListExternalAccounts",
          "List external accounts",
          "The accounts that the agent's customer has outside the service, newest first.",
        ),
      ),
    HttpApiEndpoint.post("agentCreateExternalAccount", "/agents/me/external-accounts", {
      payload: ExternalAccountCreateRequest,
      success: created(ExternalAccountResource),
      error: failures(409),
    })
      .annotate(Access, { ...manage, isRefusedWhilePaused: true })
      .annotateMerge(
        documented(
          "agentCreateExternalAccount",
          "Add an external account",
          "`customerId` may be omitted and defaults to the agent's customer. Other customers are refused. 409 if the same account exists.",
        ),
      ),
    HttpApiEndpoint.get("agentGetExternalAccount", "/agents/me/external-accounts/:externalAccountId", {
      params: account,
      success: ExternalAccountResource,
      error: failures(404),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented("agentGetExternalAccount", "Get an external account", "One account of the agent's customer."),
      ),
    HttpApiEndpoint.delete("agentDeleteExternalAccount", "/agents/me/external-accounts/:externalAccountId", {
      params: account,
      success: HttpApiSchema.NoContent,
      error: failures(404, 409),
    })
      .annotate(Access, { ...manage, isRefusedWhilePaused: true })
      .annotateMerge(
        documented(
          "agentDeleteExternalAccount",
          "Delete an external account",
          "The account responds with 404 afterwards. Running transactions continue; a pending action with this account fails at its approval. 409 `BENEFICIARY_TRUSTED` while the customer trusts it.",
        ),
      ),
    HttpApiEndpoint.get("agentListTransactions", "/agents/me/transactions", {
      query: { ...transactionFilters, ...paging, ...sorting },
      success: TransactionListResponse,
      error: failures(),
    })
      .annotate(Access, { agentPermission: "VIEW_TRANSACTIONS" })
      .annotateMerge(
        documented(
          "agentListTransactions",
          "List transactions",
          "The transactions of the agent's customer that match all filters, newest first.",
        ),
      ),
    HttpApiEndpoint.get("agentGetTransaction", "/agents/me/transactions/:transactionId", {
      params: { transactionId: pathId("transaction") },
      success: TransactionResource,
      error: failures(404),
    })
      .annotate(Access, { agentPermission: "VIEW_TRANSACTIONS" })
      .annotateMerge(
        documented("agentGetTransaction", "Get a transaction", "One transaction of the agent's customer."),
      ),
  )
  .middleware(RequestReading)
  .middleware(AgentCredentials)
  .annotateMerge(
    OpenApi.annotations({
      title: "Agent operations",
      description: "Operations that an agent calls with its access token.",
    }),
  ) {}
