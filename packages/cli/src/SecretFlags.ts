/** The options of secrets that `serve` and `rotate` share. Source: D-329, D-344, D-346. */
import { vaultSecretMin } from "@countersign/core/ports"
import { Redacted } from "effect"
import { Flag } from "effect/cli"
import { integer, secret } from "./FlagKinds.ts"

export const agentTokenDays = integer(
  "agent-token-days",
  "AGENT_TOKEN_DAYS",
  "Lifetime of agents' access tokens in days; 0: they do not expire",
  { defaultValue: 0, min: 0, max: 3650, what: "days" },
)

export const webhookKey = secret(
  "webhook-key",
  "WEBHOOK_KEY",
  "The private key (PEM, P-256) from which the platforms' webhook keys are derived; earlier ones may follow it; when absent, generated, and stored in the folder of pglite:FOLDER",
).pipe(Flag.optional)

const isLongSecret = Flag.filter(
  (value: Redacted.Redacted) => Redacted.value(value).length >= vaultSecretMin,
  () => `a secret of ${vaultSecretMin} characters or more`,
)

export const walletSecret = secret(
  "wallet-secret",
  "WALLET_SECRET",
  `The secret of ${vaultSecretMin} characters or more, which opens the keys and words of wallets; when absent, generated, and stored in the folder of pglite:FOLDER`,
).pipe(isLongSecret)

export const previousWalletSecret = secret(
  "previous-wallet-secret",
  "PREVIOUS_WALLET_SECRET",
  "The wallet secret before the present one, while the deployment changes to the present one",
).pipe(isLongSecret)
