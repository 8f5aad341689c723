/**
 * What an agent may call with its access token.
 * Spec: 4.1; wire contract 1.1 and 1.4.
 */
import {
  AgentActionListResponse,
  AgentActionResource,
  AgentActionStatus,
  AgentResource,
  InternalAccountListResponse,
  TransactionResource,
  TransferInRequest,
} from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { AgentCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { accountFilters, idempotencyKey, paging, pathId } from "./Parameters.ts"

export const AgentsMeApi = HttpApiGroup.make("agentsMe")
  .add(
    HttpApiEndpoint.get("me", "/agents/me", { success: AgentResource, error: failures() }).annotateMerge(
      documented("agentGetMe", "Get the calling agent", "The agent itself, with its policy and its usage so far."),
    ),
    HttpApiEndpoint.get("actions", "/agents/me/actions", {
      query: {
        status: Schema.optionalKey(AgentActionStatus.annotate({ description: "Only actions of this status." })),
        ...paging,
      },
      success: AgentActionListResponse,
      error: failures(400),
    }).annotateMerge(
      documented("agentListActions", "List the agent's actions", "In any status, newest first. Poll it for decisions."),
    ),
    HttpApiEndpoint.get("action", "/agents/me/actions/:actionId", {
      params: { actionId: pathId("action") },
      success: AgentActionResource,
      error: failures(404),
    }).annotateMerge(documented("agentGetAction", "Get one of the agent's actions", "Poll it for the decision.")),
    HttpApiEndpoint.post("transferIn", "/agents/me/transfer-in", {
      headers: idempotencyKey,
      payload: TransferInRequest,
      success: AgentActionResource.pipe(HttpApiSchema.status(201)),
      error: failures(400, 404, 409),
    })
      .annotate(Access, { agentPermission: "CREATE_TRANSFERS", isRefusedWhilePaused: true, isIdempotent: true })
      .annotateMerge(
        documented(
          "agentCreateTransferIn",
          "Create a transfer-in",
          "Pulls money from an external to an internal account of the agent's customer. `PENDING_APPROVAL` where the policy asks for it; otherwise `APPROVED` with the transaction, or `FAILED`.",
        ),
      ),
    HttpApiEndpoint.get("internalAccounts", "/agents/me/internal-accounts", {
      query: { ...accountFilters, ...paging },
      success: InternalAccountListResponse,
      error: failures(400),
    })
      .annotate(Access, { agentPermission: "VIEW_TRANSACTIONS" })
      .annotateMerge(
        documented(
          "agentListInternalAccounts",
          "List internal accounts",
          "The accounts that the agent's customer holds at the service, with their balances.",
        ),
      ),
    HttpApiEndpoint.get("transaction", "/agents/me/transactions/:transactionId", {
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
    OpenApi.annotations({ title: "Agent operations", description: "What an agent calls with its access token." }),
  )
