/**
 * A page outside the interface, such as the console.
 * Source: D-214.
 */
import type { Layer } from "effect"
import type { HttpRouter } from "effect/http"
import type * as MethodTable from "../middleware/MethodTable.ts"
import type * as ConsoleRoutes from "./ConsoleRoutes.ts"

/** A page and its route. */
export interface Page {
  readonly route: MethodTable.Route
  readonly layer: (basePath: string) => Layer.Layer<never, never, HttpRouter.HttpRouter>
  /** For a page on which approvers sign in: how they do. */
  readonly sessions?: ConsoleRoutes.ConsoleOptions
}
