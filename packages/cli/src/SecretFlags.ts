/** The options of secrets that `serve` and `rotate` share. Source: D-329, D-344. */
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
