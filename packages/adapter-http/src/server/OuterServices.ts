/**
 * The services of a request outside its handler: what the routes about the process, the consoles and the middleware need, and all settings.
 * The handler's group provides its own services again, and whatever the request has before is copied then, for each request.
 * Source: D-435.
 */
import { Api } from "@countersign/client/api"
import * as core from "@countersign/core"
import { Context } from "effect"

/** How many services a request may add before its context copies the whole map. The default is less than what requests add. */
const addedMax = 32

const outer: ReadonlyArray<unknown> = [core.Authentication, core.ConsoleSessions, core.WebhookKeys]

const isService = (value: unknown): value is { readonly key: string } =>
  typeof value === "function" && "key" in value && typeof value.key === "string"

/** Keys of services that handlers alone use, and of the groups, whose routes are built. */
const inner: ReadonlySet<string> = new Set([
  ...Object.values(core).flatMap((value) => (isService(value) && !outer.includes(value) ? [value.key] : [])),
  ...Object.values(Api.groups).map(({ key }) => key),
])

/** Returns the services without those of handlers, in a context to which requests add theirs. */
export const outerServices = (services: Context.Context<never>): Context.Context<never> =>
  Context.makeUnsafe(new Map([...services.mapUnsafe].filter(([key]) => !inner.has(key))), { maxDepth: addedMax })
