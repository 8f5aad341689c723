/**
 * `CodeStore` in the memory of one process. A restart forgets all codes: their recipients ask for new ones.
 * Source: D-528.
 */
import { withPortChecks } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { CodeStore, type KeptCode } from "./CodeStore.ts"

/** Number of added codes after which expired ones are removed. */
const sweepEvery = 1000

const layer: Layer.Layer<CodeStore> = Layer.sync(CodeStore, () => {
  const codes = new Map<string, KeptCode & { attempts: number }>()
  let added = 0
  const sweep = (now: number) => {
    added += 1
    if (added % sweepEvery !== 0) return
    for (const [recipient, { expiresAt }] of codes) if (expiresAt <= now) codes.delete(recipient)
  }
  const store: CodeStore["Service"] = {
    keep: (recipient, code, now) =>
      Effect.sync(() => {
        sweep(now)
        codes.set(recipient, { ...code, attempts: 0 })
      }),
    use: (recipient, digest, now) =>
      Effect.sync(() => {
        const kept = codes.get(recipient)
        if (kept === undefined) return false
        if (kept.expiresAt <= now || kept.attempts >= kept.attemptsMax) return false
        kept.attempts += 1
        return kept.digest === digest && codes.delete(recipient)
      }),
  }
  return withPortChecks(store, [
    {
      name: "security codes",
      run: Effect.succeed({
        status: "warning",
        text: "codes are in the memory of each process: another process does not know them",
        fix: "use PostgresCodes if more than one process answers",
      }),
    },
  ])
})

export const MemoryCodes = { layer }
