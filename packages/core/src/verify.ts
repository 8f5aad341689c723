/**
 * What proofs and models of the rules need: machines, rule lists, coverage and fail points.
 * Source: architecture, "Three entry points".
 */

export * as Coverage from "./foundation/kit/Coverage.ts"
export * as Machine from "./foundation/kit/Machine.ts"
export * as Mermaid from "./foundation/kit/Mermaid.ts"
export * as Rules from "./foundation/kit/Rules.ts"
export * as Suffix from "./foundation/kit/Suffix.ts"
export type { Format } from "./model/account/AccountField.ts"
export { type StrictCheck, StrictCheckRules } from "./model/account/StrictCheckRules.ts"
export { machines } from "./model/Machines.ts"
export { ruleLists } from "./model/RuleLists.ts"
export { AtFailPoint, type FailPoint, FailPoints } from "./operation/FailPoints.ts"
