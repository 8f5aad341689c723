/** The public names of the scenarios. */
export type { ScenarioContext } from "./ScenarioContext.ts"
export { type Handles, type ScenarioName, Scenarios, scenarioNames } from "./Scenarios.ts"
