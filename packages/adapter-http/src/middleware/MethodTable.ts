/**
 * Which methods a path has: for 405, OPTIONS and the Allow header.
 * Source: wire contract 0.2 (405) and 11 (55, 56).
 */
import { FindMyWay, type HttpMethod } from "effect/http"

export interface Route {
  readonly method: HttpMethod.HttpMethod
  readonly path: string
}

/** How paths are compared, here and in the router. */
export const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: true,
  ignoreDuplicateSlashes: true,
  maxParamLength: 512,
} as const

const isPath = (path: string): path is `/${string}` => path.startsWith("/")

/** A function from an address to the methods that its path has, as an Allow header lists them; none: no such path. */
export const make = (routes: ReadonlyArray<Route>) => {
  const router = FindMyWay.make<true>(routerConfig)
  const methods = new Set<HttpMethod.HttpMethod>()
  for (const { method, path } of routes) {
    if (!isPath(path)) continue
    router.on(method, path, true)
    methods.add(method)
  }
  return (url: string): ReadonlyArray<string> => {
    const found: ReadonlyArray<string> = [...methods].filter((method) => router.find(method, url) !== undefined)
    return found.length === 0 ? [] : [...found, ...(found.includes("GET") ? ["HEAD"] : []), "OPTIONS"]
  }
}
