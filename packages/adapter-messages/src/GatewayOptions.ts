/**
 * How a gateway for text messages is asked: an address, headers, and a body with placeholders.
 * Source: D-528.
 */
import type { Redacted } from "effect"
import { isLoopback } from "./Addresses.ts"

/** A JSON value whose texts may contain the placeholders `{to}`, `{text}` and `{id}`. */
export type BodyTemplate =
  | string
  | number
  | boolean
  | null
  | ReadonlyArray<BodyTemplate>
  | { readonly [name: string]: BodyTemplate }

export interface GatewayOptions {
  /** An https address; http for a gateway of the same machine. */
  readonly url: string
  /** Headers of each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string | Redacted.Redacted>>
  readonly body: { readonly json: BodyTemplate } | { readonly form: Readonly<Record<string, string>> }
  /**
   * The header in which the gateway recognizes a repeated message. Without one, a message whose outcome is not known is not sent again.
   */
  readonly idempotencyHeader?: string
  /** Statuses of an accepted message. Default: 200, 201, 202 and 204. */
  readonly acceptedStatuses?: ReadonlyArray<number>
  /** Statuses that mean that the recipient cannot be reached, now or later. Default: none. */
  readonly recipientStatuses?: ReadonlyArray<number>
  /** For gateways that report failures with an accepted status: whether the body of the answer (64 KiB at most) accepts the message. */
  readonly isAccepted?: (body: string) => boolean
  /** Longest time of one attempt (milliseconds). Default: 5 seconds. */
  readonly timeoutMillis?: number
  /** Longest time for a message with all attempts (milliseconds). Default: 10 seconds. */
  readonly deadlineMillis?: number
}

export interface BodyValues {
  readonly to: string
  readonly text: string
  readonly id: string
}

const fill = (template: string, values: BodyValues): string =>
  template.replaceAll(/\{(to|text|id)\}/gu, (_, name: keyof BodyValues) => values[name])

const fillAll = (template: BodyTemplate, values: BodyValues): BodyTemplate => {
  if (typeof template === "string") return fill(template, values)
  if (typeof template !== "object" || template === null) return template
  if (Array.isArray(template)) return template.map((each: BodyTemplate) => fillAll(each, values))
  return Object.fromEntries(Object.entries(template).map(([name, each]) => [name, fillAll(each, values)]))
}

/** The body and its type. Values are put in before the body is encoded, so that none can change its form. */
export const bodyOf = (
  { body }: GatewayOptions,
  values: BodyValues,
): { readonly type: string; readonly text: string } => {
  if ("json" in body) return { type: "application/json", text: JSON.stringify(fillAll(body.json, values)) }
  const filled = Object.entries(body.form).map(([name, each]): [string, string] => [name, fill(each, values)])
  return { type: "application/x-www-form-urlencoded", text: new URLSearchParams(filled).toString() }
}

const isSafe = ({ hostname, protocol }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && isLoopback(hostname))

const token = /^[!#$%&'*+.^_`|~\w-]+$/u

/** Returns what is wrong with options; it never contains a secret. */
export const problemOf = (options: GatewayOptions): string | undefined => {
  const { deadlineMillis = 1, headers = {}, idempotencyHeader, timeoutMillis = 1, url } = options
  if (!URL.canParse(url)) return "`url` must be an https address."
  const parsed = new URL(url)
  if (!isSafe(parsed)) return "`url` must be an https address; http is for a gateway of this machine only."
  if (parsed.username !== "" || parsed.password !== "") return "`url` must not contain credentials: use `headers`."
  const names = [...Object.keys(headers), ...(idempotencyHeader === undefined ? [] : [idempotencyHeader])]
  if (!names.every((name) => token.test(name))) return "`headers` and `idempotencyHeader` must be names of headers."
  const example = bodyOf(options, { to: "+1T", text: "X-T", id: "" }).text
  if (!(/(?:\+|%2B)1T/u.test(example) && example.includes("X-T"))) return "`body` must contain {to} and {text}."
  return timeoutMillis > 0 && deadlineMillis > 0 ? undefined : "Time limits must be positive."
}
