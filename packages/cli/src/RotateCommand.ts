/** The subcommands of `countersign rotate`. */
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { checkedFlags } from "./CheckedFlags.ts"
import { usageError } from "./CommandError.ts"
import { exitReasons, withHelp } from "./CommandHelp.ts"
import * as RotateSecrets from "./RotateSecrets.ts"
import { rotateWalletRootCommand } from "./RotateWalletRoot.ts"
import { rotateWalletSecretCommand } from "./RotateWalletSecret.ts"
import { webhookKey as rotateWebhookKey } from "./RotateWebhookKey.ts"
import { agentTokenDays, webhookKey } from "./SecretFlags.ts"
import { operateFlags } from "./StoreFlags.ts"

/** The services allow no longer overlap. */
const overlapSecondsMax = 7 * 24 * 60 * 60

const overlap = (absent: string) =>
  checkedFlags<{ readonly overlapSeconds: Option.Option<number> }>({
    overlapSeconds: Flag.Int("overlap-seconds").pipe(
      Flag.filter(
        (seconds) => seconds >= 0 && seconds <= overlapSecondsMax,
        () => `seconds from 0 to ${overlapSecondsMax}`,
      ),
      Flag.withDescription(`How long the present one stays valid; 0 ends it at once (default: ${absent})`),
      Flag.optional,
    ),
  })

const secretFlags = {
  ...operateFlags,
  ...overlap("until it is retired"),
  list: Flag.Boolean("list").pipe(
    Flag.withDescription("List the valid secrets with their last uses, and change nothing"),
    Flag.withDefault(false),
  ),
  retire: Flag.String("retire").pipe(
    Flag.withDescription("The id of a secret to retire, in place of a new one"),
    Flag.optional,
  ),
}

const clientSecret = Command.make("client-secret", secretFlags, ({ list, retire, ...values }) => {
  if (list) return RotateSecrets.listSecrets(undefined, false)(values)
  return Option.isSome(retire)
    ? RotateSecrets.retireSecret(undefined, retire.value)(values)
    : RotateSecrets.addSecret(undefined)(values)
}).pipe(
  withHelp(
    "Print a second client secret of the platform. One that --client-secret of `serve` sets is changed there",
    exitReasons.operator,
  ),
  Command.withExamples([
    { command: "countersign rotate client-secret", description: "A second secret, valid beside the first" },
    { command: "countersign rotate client-secret --list", description: "The valid secrets, with their last uses" },
  ]),
)

const tokenId = Argument.String("token").pipe(
  Argument.withDescription("The id of the API token; only --list works without it, and lists all"),
  Argument.optional,
)
const apiToken = Command.make("api-token", { ...secretFlags, tokenId }, ({ list, retire, tokenId: id, ...values }) => {
  const token = Option.getOrUndefined(id)
  if (list) return RotateSecrets.listSecrets(token, token === undefined)(values)
  if (token === undefined) return usageError("name the API token by its id; --list shows all")
  return Option.isSome(retire)
    ? RotateSecrets.retireSecret(token, retire.value)(values)
    : RotateSecrets.addSecret(token)(values)
}).pipe(
  withHelp("Print a second client secret of an API token", exitReasons.operator),
  Command.withExamples([
    { command: "countersign rotate api-token ApiToken:...", description: "An id of `rotate api-token --list`" },
  ]),
)

const agentId = Argument.String("agent").pipe(Argument.withDescription("The id of the agent"))
const agentToken = Command.make(
  "agent-token",
  { ...operateFlags, ...overlap("3600"), ...checkedFlags({ agentTokenDays }), agentId },
  ({ agentId: id, ...values }) => RotateSecrets.agentToken(id)(values),
).pipe(
  withHelp("Print a new access token of an agent; the present one stays valid for the overlap", exitReasons.operator),
  Command.withExamples([
    { command: "countersign rotate agent-token Agent:... --overlap-seconds 0", description: "At once, after a leak" },
  ]),
)

const webhookKeyCommand = Command.make(
  "webhook-key",
  { ...operateFlags, ...overlap("86400"), ...checkedFlags({ webhookKey }) },
  rotateWebhookKey,
).pipe(
  Command.withExamples([
    { command: "countersign rotate webhook-key", description: "With COUNTERSIGN_WEBHOOK_KEY, the root of the servers" },
  ]),
  withHelp(
    "Add a webhook key to a platform; both sign during the overlap. It needs the --webhook-key of the servers; without one, use `countersign keys rotate`",
    exitReasons.operator,
  ),
)

export const rotate = Command.make("rotate").pipe(
  withHelp("Replace secrets without downtime; every rotation is audited with your name", exitReasons.operator),
  Command.withExamples([
    { command: "countersign rotate client-secret", description: "A second secret, valid beside the first" },
  ]),
  Command.withSubcommands([
    clientSecret,
    apiToken,
    agentToken,
    webhookKeyCommand,
    rotateWalletSecretCommand,
    rotateWalletRootCommand,
  ]),
)
