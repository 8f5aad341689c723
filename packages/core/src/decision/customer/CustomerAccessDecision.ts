/**
 * Decides the end of a customer's access: its wallet sessions, the session of its strong authentication, and the tokens and open
 * device codes of its agents. The agents, the credentials and the money stay.
 * Source: D-356, D-381.
 */
import type { CustomerAccessEnd } from "../../model/customer/CustomerAccess.ts"
import { withoutSession } from "../../model/sca/LoginSession.ts"
import { SessionMachine } from "../../model/wallet/SessionMachine.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"

export interface CustomerAccessLoaded {
  readonly customer: Stored<"Customer">
  /** Sessions that are active. */
  readonly sessions: ReadonlyArray<Stored<"Session">>
  /** The customer's strong authentication, if it ever used it. */
  readonly profile: Stored<"ScaProfile"> | undefined
  /** Agents that are not deleted. */
  readonly agents: ReadonlyArray<Stored<"Agent">>
  /** Device codes that are neither redeemed nor invalidated. */
  readonly deviceCodes: ReadonlyArray<Stored<"DeviceCode">>
}

const endSession = (session: Stored<"Session">) =>
  Changes.update(session, { ...session.data, status: SessionMachine.follow(session.data.status, "Revoke").state })

/** An agent without a token is not connected: it can be connected again with a new device code. */
const endToken = (agent: Stored<"Agent">) => Changes.update(agent, { ...agent.data, isConnected: false, tokens: [] })

const endDeviceCode = (code: Stored<"DeviceCode">) => Changes.update(code, { ...code.data, status: "INVALIDATED" })

const endLogin = (profile: Stored<"ScaProfile">) => Changes.update(profile, withoutSession(profile.data))

export const endCustomerAccess = (
  { agents, customer, deviceCodes, profile, sessions }: CustomerAccessLoaded,
  context: DecisionContext,
): Decision<CustomerAccessEnd> => {
  const connected = agents.filter(({ data }) => data.tokens.length > 0)
  const ended: CustomerAccessEnd = {
    customerId: customer.id,
    sessionsEnded: sessions.length,
    agentTokensEnded: connected.length,
    deviceCodesEnded: deviceCodes.length,
  }
  const { customerId: _customerId, ...counts } = ended
  return answer(
    200,
    ended,
    Changes.combine(
      ...sessions.map(endSession),
      profile?.data.sessionExpiresAt === undefined ? undefined : endLogin(profile),
      ...connected.map(endToken),
      ...deviceCodes.map(endDeviceCode),
      auditRecord(context, "CUSTOMER_ACCESS_END", customer, { details: counts }),
    ),
  )
}
