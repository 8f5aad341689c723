/** The files of a deployment that have secrets: only their owner may read them. Source: D-534. */
import { stat } from "node:fs/promises"
import { Effect, Option } from "effect"
import { environmentFile } from "../../EnvironmentFile.ts"
import type { ServeOptions } from "../../ServeFlags.ts"
import { ok, problem } from "../Finding.ts"

/** `bank.env` is that of `countersign init --live`. */
const known = [environmentFile, "bank.env"]

/** Whether others than the owner may read or write it; a file that does not exist exposes nothing. */
const isExposed = (path: string) =>
  Effect.promise(() =>
    stat(path).then(
      ({ mode }) => (mode & 0o077) !== 0,
      () => false,
    ),
  )

export const checkSecretFiles = Effect.fnUntraced(function* ({
  portsSecretFile,
}: Pick<ServeOptions, "portsSecretFile">) {
  const files = [...known, ...Option.toArray(portsSecretFile)]
  const exposed = yield* Effect.filter(files, isExposed)
  return process.platform === "win32" || exposed.length === 0
    ? [ok("secret files", "only their owner can read them")]
    : [problem("secret files", `other users can read ${exposed.join(" and ")}`, `chmod 600 ${exposed.join(" ")}`)]
})
