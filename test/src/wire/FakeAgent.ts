/** An agent that pays, for tests of credentials. */
import type { Agent, AgentPermission } from "@countersign/core/models"

export const payroll = (permissions: ReadonlyArray<AgentPermission>, isPaused: boolean): Agent => ({
  name: "Payroll",
  isPaused,
  isConnected: true,
  isDeleted: false,
  recastCount: 0,
  recasts: [],
  tokens: [],
  policy: {
    permissions,
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 1 },
  },
})
