/**
 * `countersign keys`: the keys that sign a platform's webhooks, on a running server. `countersign rotate` replaces the other secrets.
 * Source: D-328, D-458.
 */
import type { WebhookKeyResource } from "@countersign/core/models"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { CommandError } from "../CommandError.ts"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { print } from "../output/Print.ts"
import { onServer } from "../remote/RemoteServer.ts"
import { type ServerOptions, serverFlags } from "../remote/ServerFlags.ts"
import * as TextTable from "../TextTable.ts"
import { createKeyCommand } from "./CreateKey.ts"

const keyTable = (keys: ReadonlyArray<WebhookKeyResource>) =>
  TextTable.make(
    ["key", "created", "signs until"],
    keys.map(({ createdAt, id, retiresAt = "the next rotation" }) => [id, createdAt, retiresAt]),
    3,
  )

const listKeys = onServer<ServerOptions, CommandError, never>(
  Effect.fnUntraced(function* ({ call }, { json }) {
    const keys = yield* call((client) => client.webhooks.listWebhookKeys())
    yield* print(json, keys, () => keyTable(keys.data))
  }),
)
const list = Command.make("list", serverFlags, listKeys).pipe(
  withHelp("List the keys that sign the platform's webhooks; --json has their public keys", exitReasons.server),
  Command.withExamples([{ command: "countersign keys list --json", description: "The public keys for a receiver" }]),
)

const rotateKeys = (overlapSeconds: Option.Option<number>) =>
  onServer<ServerOptions, CommandError, never>(
    Effect.fnUntraced(function* ({ call }, { json }) {
      const payload = Option.match(overlapSeconds, {
        onNone: () => ({}),
        onSome: (seconds) => ({ overlapSeconds: seconds }),
      })
      const keys = yield* call((client) => client.webhooks.rotateWebhookKeys({ payload }))
      yield* print(json, keys, () => keyTable(keys.data))
    }),
  )
const overlap = Flag.Int("overlap-seconds").pipe(
  Flag.withDescription("How long the present key signs beside the new one; 0 ends it at once (default: 86400)"),
  Flag.optional,
)
const rotate = Command.make("rotate", { ...serverFlags, overlap }, ({ overlap: seconds, ...values }) =>
  rotateKeys(seconds)(values),
).pipe(
  withHelp("Add a webhook key; both keys sign each delivery until the overlap ends", exitReasons.server),
  Command.withExamples([
    { command: "countersign keys rotate", description: "Receivers have a day to learn the new key" },
    { command: "countersign keys rotate --overlap-seconds 0", description: "At once, after a leak" },
  ]),
)

export const keys = Command.make("keys").pipe(
  withHelp(
    "List and rotate the keys that sign a platform's webhooks on a running server, and create a key in a token",
    exitReasons.keys,
  ),
  Command.withExamples([{ command: "countersign keys list", description: "The keys, the newest first" }]),
  Command.withSubcommands([list, rotate, createKeyCommand]),
)
