/**
 * What live mode needs beyond a sandbox: `countersign doctor --live`. It asks and reads; it writes one probe among the documents, and erases it.
 * It moves no money, and sends nothing to a customer.
 * Source: D-534.
 */
import { Effect, Option } from "effect"
import * as ApprovalPolicyFile from "../../ApprovalPolicyFile.ts"
import { limitsOf } from "../../OptionCheck.ts"
import type { ServeOptions } from "../../ServeFlags.ts"
import { parseStore } from "../../StoreOption.ts"
import { type Finding, ok, problem } from "../Finding.ts"
import { checkCertificate } from "./CertificateChecks.ts"
import { checkDatabase } from "./DatabaseChecks.ts"
import { checkOpenFiles } from "./OpenFiles.ts"
import { checkPorts } from "./PortsChecks.ts"
import { checkRequired } from "./RequiredSettings.ts"
import { checkSecretFiles } from "./SecretFiles.ts"
import { checkSources } from "./SecretSourceChecks.ts"
import { checkVault } from "./VaultChecks.ts"

const checkPolicy = Effect.fnUntraced(function* (options: ServeOptions) {
  const { problems } = yield* ApprovalPolicyFile.check(options)
  const found = problems.map(({ message }) => problem("approval policy", message, "correct the file"))
  if (found.length > 0) return found
  return Option.isNone(options.approvalPolicy)
    ? [ok("approval policy", "none: one call of a platform approves")]
    : [ok("approval policy", "every row can be satisfied by its group")]
})

/** All findings of live mode. */
export const checkLive = Effect.fnUntraced(function* (given: ServeOptions): Effect.fn.Return<ReadonlyArray<Finding>> {
  const options: ServeOptions = { ...given, mode: "live" }
  const location = parseStore(options)
  return [
    ...checkRequired(given, location),
    ...(yield* checkSecretFiles(options)),
    ...(yield* checkSources(process.env)),
    checkOpenFiles(limitsOf(options)),
    ...(yield* checkDatabase(options, location)),
    ...(yield* checkPorts(options)),
    ...(yield* checkVault(options, location)),
    ...(yield* checkPolicy(options)),
    ...(yield* checkCertificate(options)),
  ]
})
