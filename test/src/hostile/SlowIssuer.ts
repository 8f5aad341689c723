/**
 * A module of `--ports`: the sandbox, whose issuer takes 3-D Secure passwords. It answers once the file that `ISSUER_FILE` names exists,
 * and appends each card with its password to it.
 */
import { appendFileSync, existsSync } from "node:fs"
import { Issuer } from "@countersign/core/ports"
import { Sandbox, SandboxIssuer } from "@countersign/core/sandbox"
import { Clock, Effect, Layer, Redacted } from "effect"

const file = process.env["ISSUER_FILE"] ?? ""
const laterMillis = 200

const issuer = Layer.effect(
  Issuer,
  Effect.map(Issuer, (sandbox) => ({
    ...sandbox,
    takesThreeDSecurePassword: true,
    provision: Effect.fnUntraced(function* (request: Parameters<typeof sandbox.provision>[0]) {
      if (!existsSync(file)) return { _tag: "Later" as const, at: (yield* Clock.currentTimeMillis) + laterMillis }
      const { reference, threeDSecurePassword } = request
      const password = threeDSecurePassword === undefined ? "none" : Redacted.value(threeDSecurePassword)
      appendFileSync(file, `${reference} ${password}\n`)
      return yield* sandbox.provision(request)
    }),
  })),
).pipe(Layer.provide(SandboxIssuer.layer))

export default Layer.merge(Sandbox.layer, issuer)
