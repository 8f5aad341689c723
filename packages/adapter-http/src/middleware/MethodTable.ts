/**
 * The methods of each path, for 405, OPTIONS and the Allow header; and the route of each request, for metrics and spans.
 * Source: wire contract 0.2 (405) and 11 (55, 56).
 */
import { FindMyWay, type HttpMethod } from "effect/http"

export interface Route {
  readonly method: HttpMethod.HttpMethod
  readonly path: string
}

/** The path matching of the router and of this table. */
export const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: true,
  ignoreDuplicateSlashes: true,
  maxParamLength: 512,
} as const

const isPath = (path: string): path is `/${string}` => path.startsWith("/")

export interface MethodTable {
  /** The methods of an address's path, in the order of an Allow header; empty if no route has the path. */
  readonly methodsOf: (url: string) => ReadonlyArray<string>
  /** The path pattern of the matching route, with parameter names; `undefined` if no route matches. */
  readonly routeOf: (method: string, url: string) => string | undefined
}

export const make = (routes: ReadonlyArray<Route>): MethodTable => {
  const router = FindMyWay.make<string>(routerConfig)
  const methods = new Set<HttpMethod.HttpMethod>()
  for (const { method, path } of routes) {
    if (!isPath(path)) continue
    router.on(method, path, path)
    methods.add(method)
  }
  const byName = new Map<string, HttpMethod.HttpMethod>([...methods].map((method) => [method, method]))
  const methodsOf = (url: string): ReadonlyArray<string> => {
    const found: ReadonlyArray<string> = [...methods].filter((method) => router.find(method, url) !== undefined)
    return found.length === 0 ? [] : [...found, ...(found.includes("GET") ? ["HEAD"] : []), "OPTIONS"]
  }
  const routeOf = (method: string, url: string): string | undefined => {
    const routed = byName.get(method === "HEAD" ? "GET" : method)
    return routed && router.find(routed, url)?.handler
  }
  return { methodsOf, routeOf }
}
