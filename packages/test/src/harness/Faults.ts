/**
 * Injected faults, which test how a client handles failures: an error response, a lost response, an unreachable service.
 * Source: wire contract 8.1 (the body of an error); D-232.
 */
import { Api, endpointsOf } from "@countersign/client/api"
import { bodyOf } from "@countersign/core"
import { type ErrorCode, ErrorCodes } from "@countersign/core/models"

/**
 * The kind of a fault. A code of the error table replaces the response. `unreachable` loses the request. `lost answer`
 * lets the service process the request and loses the response, which is the hardest for a client to handle.
 */
export type FaultKind = ErrorCode | "unreachable" | "lost answer"

export interface FaultRule {
  /** The operation, such as `POST /transfer-in` or `GET /customers/*`; without it, every request. */
  readonly route?: string
  readonly kind: FaultKind
  /** How many requests the fault applies to; the default is 1. */
  readonly times?: number
}

/** An injected fault, and to how many requests it has applied (`met`). */
export interface Fault {
  readonly rule: FaultRule
  readonly met: number
}

export interface Faults {
  readonly add: (rule: FaultRule) => void
  /** Returns all injected faults in the order in which they were added. */
  readonly list: () => ReadonlyArray<Fault>
  /** Passes a request to the service, unless a fault applies. `path` is relative to the base URL. */
  readonly intercept: (
    request: Request,
    path: string,
    service: (request: Request) => Promise<Response>,
  ) => Promise<Response>
}

const kinds: ReadonlyArray<string> = [...ErrorCodes.keys, "unreachable", "lost answer"]

/** Whether a route is that of an operation. A path parameter matches any segment, also `*`. */
const isRoute = (route: string): boolean => {
  const given = route.split("/")
  return endpointsOf(Api).some(({ endpoint: { method, path } }) => {
    const segments = `${method} ${path}`.split("/")
    return (
      given.length === segments.length &&
      segments.every((segment, at) => segment === given[at] || segment.startsWith(":") || given[at] === "*")
    )
  })
}

/** The error with which `fetch` rejects when it cannot connect. */
const disconnected = () => new TypeError("fetch failed")

const matchesRoute = (route: string | undefined, method: string, path: string): boolean => {
  if (route === undefined) return true
  const [routeMethod, routePath] = route.split(" ")
  const expected = (routePath ?? "").split("/")
  const actual = path.split("/")
  return (
    routeMethod === method &&
    expected.length === actual.length &&
    expected.every((segment, index) => segment === "*" || segment === actual[index])
  )
}

const isErrorCode = (kind: FaultKind): kind is ErrorCode => ErrorCodes.keys.some((code) => code === kind)

const refusal = (code: ErrorCode): Response => {
  const body = bodyOf({ code, message: `The test injected this fault: ${code}.` })
  const headers = body.status === 429 || body.status === 503 ? { "retry-after": "1" } : {}
  return Response.json(body, { status: body.status, headers })
}

export const make = (): Faults => {
  const faults: Array<{ readonly rule: FaultRule; met: number }> = []
  return {
    add: (rule) => {
      if (!kinds.includes(rule.kind)) throw new Error(`unknown fault ${rule.kind}; known: ${kinds.join(", ")}`)
      if (rule.route !== undefined && !isRoute(rule.route)) {
        throw new Error(
          `unknown route ${rule.route}: \`route\` must be the method and path of an operation, such as "POST /transfer-in" or "GET /customers/*"`,
        )
      }
      faults.push({ rule, met: 0 })
    },
    list: () => faults.map((fault) => ({ ...fault })),
    intercept: async (request, path, service) => {
      const [plainPath = path] = path.split("?")
      const fault = faults.find(
        ({ met, rule }) => met < (rule.times ?? 1) && matchesRoute(rule.route, request.method, plainPath),
      )
      if (fault === undefined) return service(request)
      fault.met += 1
      const { kind } = fault.rule
      if (isErrorCode(kind)) return refusal(kind)
      if (kind === "lost answer") await (await service(request)).arrayBuffer()
      throw disconnected()
    },
  }
}
