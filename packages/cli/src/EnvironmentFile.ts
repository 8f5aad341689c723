/**
 * Reads `countersign.env` of the working folder, which `countersign init` writes. A variable that is set already stays as it is.
 * Source: D-458.
 */
import { existsSync } from "node:fs"
import { loadEnvFile } from "node:process"

export const environmentFile = "countersign.env"

export const readEnvironmentFile = (): void => {
  if (existsSync(environmentFile)) loadEnvFile(environmentFile)
}
