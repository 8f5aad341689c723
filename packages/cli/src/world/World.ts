/**
 * `countersign world`: the saved worlds of a running sandbox.
 * Source: D-470, D-471.
 */
import { readFile, stat, writeFile } from "node:fs/promises"
import type { Client } from "@countersign/client"
import { WorldFile, type WorldResource } from "@countersign/core/models"
import { Effect, Schema } from "effect"
import { type CommandError, usageError } from "../CommandError.ts"
import { print } from "../output/Print.ts"
import { withProgress } from "../output/Progress.ts"
import { onServer } from "../remote/RemoteServer.ts"
import type { ServerOptions } from "../remote/ServerFlags.ts"
import * as TextTable from "../TextTable.ts"

/** A file that a server accepts is smaller. */
const fileBytesMax = 1024 * 1024

const decodeFile = Schema.decodeUnknownEffect(Schema.fromJsonString(WorldFile))

const described = ({ businessTime, counts, name, savedAt }: WorldResource): string =>
  `${name}: ${counts.customers} customers, ${counts.transactions} transactions, at ${businessTime}, saved at ${savedAt}`

/** A command that sends one request and prints its answer. */
const asking = <A>(notice: string, ask: (client: Client) => Promise<A>, lines: (answer: A) => string) =>
  onServer<ServerOptions, CommandError, never>(
    Effect.fnUntraced(function* ({ call }, { json }) {
      const answer = yield* withProgress(notice)(call(ask))
      yield* print(json, answer, () => lines(answer))
    }),
  )

export const list = asking(
  "listing the worlds",
  (client) => client.sandboxWorlds.sandboxListWorlds(),
  ({ current, data }) => {
    if (data.length === 0) return "no world is saved: countersign world save NAME"
    const rows = data.map(({ businessTime, bytes, counts, name }) => [
      name === current ? "*" : "",
      name,
      businessTime,
      String(counts.customers),
      String(counts.transactions),
      String(bytes),
    ])
    return TextTable.make(["", "name", "business time", "customers", "transactions", "bytes"], rows, 3)
  },
)

export const save = (name: string, replaces: boolean) =>
  asking(
    "saving the world",
    (client) => client.sandboxWorlds.sandboxSaveWorld({ payload: { name, replaces } }),
    (world) => `saved ${described(world)}`,
  )

export const fork = (name: string) =>
  asking(
    "saving the world",
    (client) => client.sandboxWorlds.sandboxForkWorld({ payload: { name } }),
    (world) => `goes on as ${described(world)}`,
  )

export const load = (name: string) =>
  asking(
    "loading the world",
    (client) => client.sandboxWorlds.sandboxLoadWorld({ params: { name } }),
    ({ businessTime }) => `loaded ${name}: the time is ${businessTime}`,
  )

export const remove = (name: string) =>
  asking(
    "deleting the world",
    async (client) => {
      await client.sandboxWorlds.sandboxDeleteWorld({ params: { name } })
      return { name }
    },
    () => `deleted ${name}`,
  )

export const reset = asking(
  "emptying the world",
  (client) => client.sandboxWorlds.sandboxResetWorld(),
  ({ businessTime }) => `the world is empty: the time is ${businessTime}`,
)

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : "it cannot be used")

export const exportTo = (name: string, path: string) =>
  onServer<ServerOptions, CommandError, never>(
    Effect.fnUntraced(function* ({ call }, { json }) {
      const file = yield* withProgress("exporting the world")(
        call((client) => client.sandboxWorlds.sandboxGetWorldFile({ params: { name } })),
      )
      yield* Effect.tryPromise({
        // An existing file is not overwritten.
        try: () => writeFile(path, `${JSON.stringify(file)}\n`, { flag: "wx", mode: 0o600 }),
        catch: (cause) => usageError(`${path} cannot be written: ${reasonOf(cause)}`),
      })
      yield* print(json, { name, file: path }, () => `wrote ${name} to ${path}`)
    }),
  )

const readWorld = Effect.fnUntraced(function* (path: string) {
  const text = yield* Effect.tryPromise({
    try: async () => ((await stat(path)).size > fileBytesMax ? undefined : readFile(path, "utf8")),
    catch: (cause) => usageError(`${path} cannot be read: ${reasonOf(cause)}`),
  })
  if (text === undefined) return yield* usageError(`${path} is larger than 1 MiB, so it is not the file of a world`)
  return yield* Effect.mapError(decodeFile(text), () => usageError(`${path} is not the file of a world`))
})

export const importFrom = (path: string) =>
  onServer<ServerOptions, CommandError, never>(
    Effect.fnUntraced(function* ({ call }, { json }) {
      const payload = yield* readWorld(path)
      const world = yield* withProgress("importing the world")(
        call((client) => client.sandboxWorlds.sandboxImportWorld({ payload })),
      )
      yield* print(json, world, () => `imported ${described(world)}`)
    }),
  )
