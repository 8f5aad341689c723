/** A module of `--ports` that appends each generated code to the file that `CODES_FILE` names. */
import { appendFileSync } from "node:fs"
import { OtpSender } from "@countersign/core/ports"
import { Effect, Layer, Redacted } from "effect"
import sandboxPorts from "./SandboxPorts.ts"

const post = Layer.succeed(OtpSender, {
  send: ({ code, contact }) =>
    Effect.sync(() => appendFileSync(process.env["CODES_FILE"] ?? "", `${contact} ${Redacted.value(code)}\n`)),
})

export default Layer.merge(sandboxPorts, post)
