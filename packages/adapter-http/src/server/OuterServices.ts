/**
 * The services of a request outside its handler: what the routes about the process, the consoles and the middleware need.
 * The handler's group provides its own services again, and whatever the request has before is copied then, for each request.
 * Source: D-435.
 */
import * as core from "@countersign/core"
import { WebhookSigner, WireNames } from "@countersign/core/ports"
import { StateGate, Store } from "@countersign/core/store"
import { Context } from "effect"
import { isHandlerService } from "../middleware/HandlerServices.ts"

/** How many services a request may add before its context copies the whole map. The default is less than what requests add. */
const addedMax = 32

const prefix = "@countersign/core/"
const ofRoutes: ReadonlySet<string> = new Set(
  [
    core.Authentication,
    core.ActionVotes,
    core.ConsoleSessions,
    core.WebhookKeys,
    StateGate.Generation,
    Store,
    WebhookSigner,
    WireNames,
  ].map(({ key }) => key),
)

const isOuter = (key: string): boolean => ofRoutes.has(key) || !(key.startsWith(prefix) || isHandlerService(key))

/**
 * Returns the services that routes outside the interface need, and all that are not the core's, in a context to which requests add theirs.
 * A service of the core that a route calls brings its settings and ports, because it finds no `WallTime` here (`provideServices`).
 */
export const outerServices = (services: Context.Context<never>): Context.Context<never> =>
  Context.makeUnsafe(new Map([...services.mapUnsafe].filter(([key]) => isOuter(key))), { maxDepth: addedMax })
