/**
 * Which methods a path has: for 405, OPTIONS and the Allow header; and by which route a request goes, for what is counted.
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

export interface MethodTable {
  /** The methods that the path of an address has, as an Allow header lists them; none: no such path. */
  readonly methodsOf: (url: string) => ReadonlyArray<string>
  /** The path as the route has it, with the names of its parameters; `undefined`: no route takes this. */
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
    const known = byName.get(method === "HEAD" ? "GET" : method)
    return known && router.find(known, url)?.handler
  }
  return { methodsOf, routeOf }
}
