/** The variables of all commands, which share their environment. */
import { serverVariables } from "./remote/ServerFlags.ts"
import { sourceVariables } from "./SecretSources.ts"
import { serveVariables } from "./ServeFlags.ts"

export const variables: ReadonlyArray<string> = [
  ...new Set([...serveVariables, ...serverVariables, ...sourceVariables]),
]
