/**
 * What answers at the address of the interface itself: where its documentation is. A start prints this address, so people open it.
 * Source: D-463.
 */
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { Page } from "./Page.ts"

/** The pages with this one, unless another lies at the address. */
export const withIndex = (basePath: string, pages: ReadonlyArray<Page>): ReadonlyArray<Page> => {
  const path = `/${basePath.slice(1)}` as const
  const paths = pages.map(({ route }) => route.path)
  if (paths.includes(path)) return pages
  const index = {
    basePath: path,
    documentation: "/docs",
    description: "/openapi.json",
    health: "/healthz",
    pages: pages.filter(({ route }) => route.method === "GET").map(({ route }) => route.path),
  }
  const layer = () => HttpRouter.add("GET", path, HttpServerResponse.jsonUnsafe(index))
  return [...pages, { route: { method: "GET", path }, layer }]
}
