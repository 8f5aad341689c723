/** Worlds of the sandbox: each handler calls its service. D-470. */

import { Api } from "@countersign/client/api"
import { Worlds } from "@countersign/core"
import { Effect } from "effect"
import { answering, created, noContent, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "sandboxWorlds",
  Effect.fnUntraced(function* (handlers) {
    const worlds = yield* Worlds
    return handlers.handleAll(
      yield* answering(handlers, {
        sandboxListWorlds: () => ok(worlds.list),
        sandboxSaveWorld: ({ payload }) => created(worlds.save(payload)),
        sandboxForkWorld: ({ payload }) => created(worlds.fork(payload)),
        sandboxImportWorld: ({ payload }) => created(worlds.importFile(payload)),
        sandboxLoadWorld: ({ params }) => ok(worlds.load(params.name)),
        sandboxGetWorldFile: ({ params }) => ok(worlds.file(params.name)),
        sandboxDeleteWorld: ({ params }) => noContent(worlds.remove(params.name)),
        sandboxResetWorld: () => ok(worlds.reset),
      }),
    )
  }),
)
