/**
 * Secrets that a key in a token or a key service derives: `COUNTERSIGN_WALLET_SECRET_FROM` names the key, and the command sees the secret as if
 * `COUNTERSIGN_WALLET_SECRET` had it. Every command that takes one of the secrets takes its source.
 * Source: D-533.
 */
import { Effect, Redacted } from "effect"
import { type CommandError, unsafeError, usageError } from "./CommandError.ts"

/** The secrets that a key can derive, by their variables. */
const secrets = {
  COUNTERSIGN_WALLET_SECRET: "walletSecretFrom",
  COUNTERSIGN_PREVIOUS_WALLET_SECRET: "walletSecretFrom",
  COUNTERSIGN_WEBHOOK_KEY: "webhookKeyFrom",
} as const

/** The PIN of the token, or the bearer token of the key service. */
export const credentialVariable = "COUNTERSIGN_KEYS_CREDENTIAL"

const sourceVariable = (secret: string): string => `${secret}_FROM`

export const sourceVariables: ReadonlyArray<string> = [credentialVariable, ...Object.keys(secrets).map(sourceVariable)]

/** Loaded only where a source is named: few machines have a token. */
export const adapter = Effect.promise(() => import("@countersign/adapter-keys"))

interface Derivation {
  readonly variable: string
  readonly source: string
  readonly derive: (typeof secrets)[keyof typeof secrets]
  readonly environment: NodeJS.ProcessEnv
}

const derived = ({ derive, environment, source, variable }: Derivation) =>
  Effect.flatMap(adapter, (keys) =>
    Effect.tryPromise({
      try: () => keys[derive](source, environment[credentialVariable]),
      catch: (cause) => unsafeError(`${variable}: ${cause instanceof Error ? cause.message : "no secret"}`),
    }),
  )

/** The secrets that were derived from a source, each with an effect that derives it again. */
export const deriveAgain = (environment: NodeJS.ProcessEnv) =>
  Object.entries(secrets).flatMap(([secret, derive]) => {
    const variable = sourceVariable(secret)
    const source = environment[variable]
    if (source === undefined) return []
    const again = Effect.map(derived({ variable, source, derive, environment }), (text) => Redacted.make(text))
    return [{ variable, first: environment[secret], again }]
  })

/** Puts the secrets of the sources into the environment. */
export const readSecretSources = (environment: NodeJS.ProcessEnv): Effect.Effect<void, CommandError> =>
  Effect.gen(function* () {
    for (const [secret, derive] of Object.entries(secrets)) {
      const variable = sourceVariable(secret)
      const source = environment[variable]
      if (source === undefined) continue
      if (environment[secret] !== undefined) return yield* usageError(`${secret} and ${variable} are both set`)
      environment[secret] = yield* derived({ variable, source, derive, environment })
    }
  })
