/**
 * Faults on demand, so that a client's handling of them can be tried: an error in place of the answer, an answer that is lost, a service
 * that cannot be reached.
 * Source: wire contract 8.1 (the body of an error); D-232.
 */
import { Api, endpointsOf } from "@countersign/client/api"
import { bodyOf } from "@countersign/core"
import { type ErrorCode, ErrorCodes } from "@countersign/core/models"

/**
 * What happens instead: an error of the table, the request never arriving, or (the hard one) the service doing its work and its answer
 * not arriving.
 */
export type FaultKind = ErrorCode | "unreachable" | "lost answer"

export interface FaultRule {
  /** `POST /transfer-in` or `GET /customers/*`; every request where absent. */
  readonly route?: string
  readonly kind: FaultKind
  /** How many requests it meets; 1 unless said. */
  readonly times?: number
}

/** A fault that was asked for, and how often it happened. */
export interface Fault {
  readonly rule: FaultRule
  readonly met: number
}

export interface Faults {
  readonly add: (rule: FaultRule) => void
  /** All that were asked for, in order. */
  readonly list: () => ReadonlyArray<Fault>
  /** Carries a request through the faults to the service. `path` is relative to the base address. */
  readonly through: (
    request: Request,
    path: string,
    service: (request: Request) => Promise<Response>,
  ) => Promise<Response>
}

const kinds: ReadonlyArray<string> = [...ErrorCodes.keys, "unreachable", "lost answer"]

/** Whether a route is that of an operation, given or with a `*` for what its path names. */
const isRoute = (route: string): boolean => {
  const asked = route.split("/")
  return endpointsOf(Api).some(({ endpoint: { method, path } }) => {
    const segments = `${method} ${path}`.split("/")
    return (
      asked.length === segments.length &&
      segments.every((segment, at) => segment === asked[at] || segment.startsWith(":") || asked[at] === "*")
    )
  })
}

/** What fetch rejects with when there is no connection. */
const disconnected = () => new TypeError("fetch failed")

const fits = (route: string | undefined, method: string, path: string): boolean => {
  if (route === undefined) return true
  const [wantedMethod, wantedPath] = route.split(" ")
  const wanted = (wantedPath ?? "").split("/")
  const found = path.split("/")
  return (
    wantedMethod === method &&
    wanted.length === found.length &&
    wanted.every((segment, index) => segment === "*" || segment === found[index])
  )
}

const isErrorCode = (kind: FaultKind): kind is ErrorCode => ErrorCodes.keys.some((code) => code === kind)

const refusal = (code: ErrorCode): Response => {
  const body = bodyOf({ code, message: `This is the fault that the test asked for: ${code}.` })
  const again = body.status === 429 || body.status === 503 ? { "retry-after": "1" } : {}
  return Response.json(body, { status: body.status, headers: again })
}

export const make = (): Faults => {
  const faults: Array<{ readonly rule: FaultRule; met: number }> = []
  return {
    add: (rule) => {
      if (!kinds.includes(rule.kind)) throw new Error(`There is no fault ${rule.kind}: ${kinds.join(", ")}`)
      if (rule.route !== undefined && !isRoute(rule.route)) {
        throw new Error(
          `A route is an operation's method and path, as in "POST /transfer-in" or "GET /customers/*"; this is none: ${rule.route}`,
        )
      }
      faults.push({ rule, met: 0 })
    },
    list: () => faults.map((fault) => ({ ...fault })),
    through: async (request, path, service) => {
      const fault = faults.find(
        ({ met, rule }) => met < (rule.times ?? 1) && fits(rule.route, request.method, path.split("?")[0] ?? path),
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
