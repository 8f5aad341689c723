/** Named worlds, and the stage on which they are set up. */
export type { Stage } from "./Stage.ts"
export { type Handles, type WorldName, Worlds, worldNames } from "./Worlds.ts"
