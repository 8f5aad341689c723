/** Named worlds, and the stage on which they are set up. */
export type { ScenarioContext } from "./ScenarioContext.ts"
export { type Handles, type ScenarioName, Scenarios, scenarioNames } from "./Scenarios.ts"
