/**
 * What a port can say about itself before it is used: `countersign doctor --live` runs these checks. A check asks only; it moves no money, and
 * sends nothing to a customer.
 * Source: D-534. The checks are a property of the service, so that they also follow one that an embedder copies and changes in part.
 */
import type { Context, Effect } from "effect"

/** The result of a check, as `countersign doctor` prints it. */
export interface PortFinding {
  /** A `warning` is incomplete, a `problem` keeps the port from working. */
  readonly status: "ok" | "warning" | "problem"
  /** What was found. It contains no secret. */
  readonly text: string
  /** What to do. */
  readonly fix?: string
}

/** A check that a port offers with `withPortChecks`. */
export interface PortCheck {
  /** What is checked, such as `mail server`: at most 16 characters. */
  readonly name: string
  /** Ends within ten seconds, or is interrupted and counts as a problem. */
  readonly run: Effect.Effect<PortFinding>
}

const key = Symbol.for("@countersign/core/portChecks")

/** Returns the checks of a service. */
export const portChecksOf = (service: unknown): ReadonlyArray<PortCheck> => {
  if ((typeof service !== "object" && typeof service !== "function") || service === null) return []
  const checks: unknown = Reflect.get(service, key)
  return Array.isArray(checks) ? checks : []
}

/** Adds checks to the service itself, after those that it has, and returns it. */
export const withPortChecks = <Service extends object>(service: Service, checks: ReadonlyArray<PortCheck>): Service => {
  Reflect.defineProperty(service, key, {
    value: [...portChecksOf(service), ...checks],
    enumerable: true,
    configurable: true,
  })
  return service
}

/** Returns the checks of all services, each once. */
export const portChecksIn = (context: Context.Context<never>): ReadonlyArray<PortCheck> => [
  ...new Set([...context.mapUnsafe.values()].flatMap((service: unknown) => portChecksOf(service))),
]
