/** `countersign keys create`: generates the key of a deployment in a token, which it never leaves. Source: D-533. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { unsafeError } from "../CommandError.ts"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { print } from "../output/Print.ts"
import { adapter, credentialVariable } from "../SecretSources.ts"
import { json } from "../StoreFlags.ts"

const source = Argument.String("source").pipe(
  Argument.withDescription("The address of the key: pkcs11:token=LABEL;object=LABEL?module-path=PATH"),
)

const run = Effect.fnUntraced(function* (options: { readonly source: string; readonly json: boolean }) {
  const { createKey } = yield* adapter
  yield* Effect.try({
    try: () => createKey(options.source, process.env[credentialVariable]),
    catch: (cause) => unsafeError(cause instanceof Error ? cause.message : "the key cannot be created"),
  })
  yield* print(
    options.json,
    { source: options.source },
    () => `created: name it in COUNTERSIGN_WALLET_SECRET_FROM or COUNTERSIGN_WEBHOOK_KEY_FROM`,
  )
})

export const createKeyCommand = Command.make("create", { source, json: json("Print JSON: the address") }, run).pipe(
  withHelp(`Generate a secret key in a PKCS#11 token; ${credentialVariable} has its PIN`, exitReasons.secrets),
  Command.withExamples([
    {
      command:
        "countersign keys create 'pkcs11:token=payments;object=root?module-path=/usr/lib/softhsm/libsofthsm2.so'",
      description: "Once for a deployment",
    },
  ]),
)
