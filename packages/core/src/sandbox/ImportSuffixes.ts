/**
 * The table of magic suffixes of the names of imported files; any other import starts at once.
 * Source: wire contract areas 1.5.5.
 */
import { Layer } from "effect"
import * as Table from "../foundation/kit/Table.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { ImportStart, type ImportStartAnswer } from "../settings/ImportStart.ts"

/** The last three characters of the name without its ending. */
export const ImportSuffixes = Table.make("ImportSuffixes", {
  "001": { _tag: "Start", delayMillis: 30_000 },
  "002": { _tag: "Fail" },
} satisfies { readonly [suffix: string]: ImportStartAnswer })

const importStart = (fileName: string): ImportStartAnswer =>
  ImportSuffixes.find(fileName.replace(/\.[^.]*$/u, "").slice(-3)) ?? { _tag: "Start", delayMillis: 0 }

export const layer = Layer.succeed(ImportStart, importStart).pipe(
  sandboxOnly("the sandbox's magic names of imported files"),
)
