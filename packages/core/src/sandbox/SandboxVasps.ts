/**
 * The directory of exchanges in the sandbox: invented names.
 * Source: wire contract areas 1.7.
 */
import { Effect, Layer } from "effect"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { VaspDirectory } from "../ports/VaspDirectory.ts"

/** The names of the invented exchanges. */
export const sandboxVaspNames = [
  "Example Exchange",
  "Harbor Digital Assets",
  "Meridian Custody",
  "Northlight Exchange",
  "Sandbox Exchange",
] as const

const hostOf = (name: string) => name.toLowerCase().replaceAll(" ", "-")

const vasps = sandboxVaspNames.map((vaspName) => ({ vaspName, url: `https://${hostOf(vaspName)}.sandbox.example` }))

/** Provides a `VaspDirectory` of them, each with an address that does not resolve. */
export const layer = Layer.succeed(VaspDirectory, { entries: Effect.succeed(vasps) }).pipe(sandboxOnly("SandboxVasps"))
