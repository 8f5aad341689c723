/**
 * Agents, for the platform: create, pause, limit, connect, approve, revoke.
 * Spec: 4.2; wire contract 1.1, 1.3 and 1.5.
 */
import {
  AgentActionListResponse,
  AgentActionRejectRequest,
  AgentActionResource,
  AgentActionStatus,
  AgentCreateRequest,
  AgentCreateResponse,
  AgentDeviceCode,
  AgentDeviceCodeRedeemResponse,
  AgentDeviceCodeStatusResponse,
  AgentListResponse,
  AgentPolicyEvaluateRequest,
  AgentPolicyEvaluation,
  AgentPolicyUpdateRequest,
  AgentResource,
  AgentTokenResource,
  AgentTokenRotateRequest,
  AgentUpdateRequest,
  atMost,
  secret,
} from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented, extension } from "./Documented.ts"
import { failures, openFailures } from "./Failures.ts"
import { bound, flag, idFilter, paging, pathId, sorting, times } from "./Parameters.ts"
import { created } from "./Statuses.ts"

const agentId = { agentId: pathId("agent") }
const action = { ...agentId, actionId: pathId("action") }
const code = { code: Schema.String.check(atMost("pathId")).annotate({ ...secret, description: "The device code." }) }

/** A class, so that the type of the whole interface refers to it by name. */
export class AgentsApi extends HttpApiGroup.make("agents")
  .add(
    HttpApiEndpoint.get("listAgents", "/agents", {
      query: {
        customerId: idFilter("Customer"),
        isPaused: flag("Only paused agents (`true`) or only others (`false`)."),
        isConnected: flag("Only connected agents (`true`) or only others (`false`)."),
        ...times,
        ...paging,
      },
      success: AgentListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(documented("listAgents", "List agents", "The agents of the platform, newest first.")),
    HttpApiEndpoint.post("createAgent", "/agents", {
      payload: AgentCreateRequest,
      success: created(AgentCreateResponse),
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "createAgent",
          "Create an agent",
          "An agent acts for one customer within its policy. It is unusable until the device code in this response is redeemed.",
        ),
      ),
    HttpApiEndpoint.get("listAgentApprovals", "/agents/approvals", {
      query: {
        agentId: idFilter("Agent"),
        customerId: idFilter("Customer"),
        status: Schema.optionalKey(
          Schema.Array(AgentActionStatus).check(Schema.isMaxLength(AgentActionStatus.literals.length)).annotate({
            description:
              "An addition of this service: actions of these statuses instead of pending ones. May be repeated.",
          }),
        ),
        startDate: bound("Submitted at this time or later."),
        endDate: bound("Submitted at this time or earlier."),
        ...paging,
        ...sorting,
      },
      success: AgentActionListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        documented(
          "listAgentApprovals",
          "List actions that wait for an approval",
          "The actions of all agents of the platform with status `PENDING_APPROVAL`, or with one of the given statuses.",
        ),
      ),
    HttpApiEndpoint.get("getAgentById", "/agents/:agentId", {
      params: agentId,
      success: AgentResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(documented("getAgentById", "Get an agent", "One agent, with its policy and its usage so far.")),
    HttpApiEndpoint.patch("updateAgent", "/agents/:agentId", {
      params: agentId,
      payload: AgentUpdateRequest,
      success: AgentResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "updateAgent",
          "Rename, pause or resume an agent",
          "`isPaused: true` blocks new executions and keeps the configuration.",
        ),
      ),
    HttpApiEndpoint.delete("deleteAgent", "/agents/:agentId", {
      params: agentId,
      success: HttpApiSchema.NoContent,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented("deleteAgent", "Delete an agent", "Revokes the agent's delegated access at once and permanently."),
      ),
    HttpApiEndpoint.patch("updateAgentPolicy", "/agents/:agentId/policy", {
      params: agentId,
      payload: AgentPolicyUpdateRequest,
      success: AgentResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "MANAGE", isForConsole: true })
      .annotateMerge(
        documented(
          "updateAgentPolicy",
          "Update an agent's policy",
          "Effective at once; omitted members keep their value. Changing `spendingLimits.currency` recasts the limits.",
        ),
      ),
    HttpApiEndpoint.post("evaluateAgentPolicy", "/agents/:agentId/policy/evaluate", {
      params: agentId,
      payload: AgentPolicyEvaluateRequest,
      success: AgentPolicyEvaluation,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        extension(
          "evaluateAgentPolicy",
          "Evaluate an agent's policy",
          "An addition of this service: returns the outcome that a transfer of the agent would have now, the rule that decides, and what the limits would have left. Uses the evaluation of real transfers and writes nothing.",
        ),
      ),
    HttpApiEndpoint.post("regenerateAgentDeviceCode", "/agents/:agentId/device-codes", {
      params: agentId,
      success: created(AgentDeviceCode),
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "regenerateAgentDeviceCode",
          "Issue a device code",
          "The code is valid for 24 hours and for one use. Earlier unredeemed codes of the agent expire. 409 while the agent is connected.",
        ),
      ),
    HttpApiEndpoint.post("rotateAgentToken", "/agents/:agentId/token", {
      params: agentId,
      payload: AgentTokenRotateRequest,
      success: created(AgentTokenResource),
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        extension(
          "rotateAgentToken",
          "Rotate an agent's access token",
          "An addition of this service: returns a new access token, shown only once. The present one stays valid for `overlapSeconds`. 409 unless the agent is connected.",
        ),
      ),
    HttpApiEndpoint.get("getAgentDeviceCodeStatus", "/agents/device-codes/:code/status", {
      params: code,
      success: AgentDeviceCodeStatusResponse,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented("getAgentDeviceCodeStatus", "Get the status of a device code", "Whether the code was redeemed."),
      ),
    HttpApiEndpoint.get("evaluateAgentActionApproval", "/agents/:agentId/actions/:actionId/evaluation", {
      params: action,
      success: AgentPolicyEvaluation,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        extension(
          "evaluateAgentActionApproval",
          "Evaluate an approval",
          "An addition of this service: returns the outcome that an approval would have now, the rule that decides, and what the limits would have left. Writes nothing. 409 with `details.action` if the action is already decided.",
        ),
      ),
    HttpApiEndpoint.post("approveAgentAction", "/agents/:agentId/actions/:actionId/approve", {
      params: action,
      success: AgentActionResource,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "TRANSACT", isForConsole: true })
      .annotateMerge(
        documented(
          "approveAgentAction",
          "Approve an action",
          "Executes the action: `APPROVED` with its transaction, or `FAILED` if it can no longer be executed. 409 with `details.action` if the action is already decided.",
        ),
      ),
    HttpApiEndpoint.post("rejectAgentAction", "/agents/:agentId/actions/:actionId/reject", {
      params: action,
      payload: AgentActionRejectRequest,
      success: AgentActionResource,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "TRANSACT", isForConsole: true })
      .annotateMerge(
        documented(
          "rejectAgentAction",
          "Reject an action",
          "The body is optional. 409 with `details.action` if the action is already decided.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .add(
    HttpApiEndpoint.post("redeemAgentDeviceCode", "/agents/device-codes/:code/redeem", {
      params: code,
      success: AgentDeviceCodeRedeemResponse,
      error: openFailures(404),
    })
      .middleware(RequestReading)
      .annotateMerge(
        documented(
          "redeemAgentDeviceCode",
          "Redeem a device code",
          "Requires no credentials except the code. Returns the agent's access token, which is shown only once.",
        ),
      ),
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Agents", description: "Agents and their actions, for the platform." }),
  ) {}
