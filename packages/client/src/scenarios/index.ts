/** The public names of the scenarios. */
export { type OfferedScenario, OfferedScenarios } from "./OfferedScenarios.ts"
export type { ScenarioContext } from "./ScenarioContext.ts"
export * as ScenarioSteps from "./ScenarioSteps.ts"
export { type Handles, type ScenarioName, Scenarios, scenarioNames } from "./Scenarios.ts"
