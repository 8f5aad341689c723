/**
 * The services that handlers take when they are built, and the groups, whose routes are built: no request needs to carry them.
 * Source: D-435.
 */
import { Api } from "@countersign/client/api"
import * as core from "@countersign/core"

const isService = (value: unknown): value is { readonly key: string } =>
  typeof value === "function" && "key" in value && typeof value.key === "string"

const keys: ReadonlySet<string> = new Set([
  ...Object.values(core).flatMap((value) => (isService(value) ? [value.key] : [])),
  ...Object.values(Api.groups).map(({ key }) => key),
])

/** Whether this is the key of such a service. */
export const isHandlerService = (key: string): boolean => keys.has(key)
