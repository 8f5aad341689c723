/**
 * The public names of the models. Each search runs random histories and returns the problem of the smallest history that
 * violates a model or the ledger. They test a changed rule, policy, port or store. The commands and auditors are building
 * blocks for further histories.
 */

export { AgentAuditor } from "./AgentAuditor.ts"
export * as AgentCommands from "./AgentCommands.ts"
export { type AgentHistoryOptions, agentHistories } from "./AgentHistories.ts"
export { AgentModel, type ModelAction, type ModelPolicy, type ModelStatus, type Predicted } from "./AgentModel.ts"
export { type AgentPredictionOptions, agentPredictions } from "./AgentPredictions.ts"
export { ApprovalAuditor } from "./ApprovalAuditor.ts"
export * as ApprovalCommands from "./ApprovalCommands.ts"
export { type ApprovalHistoryOptions, approvalHistories } from "./ApprovalHistories.ts"
export { type ApprovalWorld, approvalWorld } from "./ApprovalWorld.ts"
export { bookProblems } from "./Books.ts"
export { CardAuditor } from "./CardAuditor.ts"
export * as CardCommands from "./CardCommands.ts"
export { cardHistories } from "./CardHistories.ts"
export type { HistoryOptions } from "./HistoryOptions.ts"
export * as PayModel from "./PayModel.ts"
export { QuoteAuditor } from "./QuoteAuditor.ts"
export * as QuoteCommands from "./QuoteCommands.ts"
export { quoteHistories } from "./QuoteHistories.ts"
export * as QuoteModel from "./QuoteModel.ts"
export { TransferAuditor } from "./TransferAuditor.ts"
export * as TransferCommands from "./TransferCommands.ts"
export { transferHistories } from "./TransferHistories.ts"
