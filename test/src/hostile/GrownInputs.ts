/** Grows valid requests in size, depth and count: a text, a list, an object, a parameter or a header of an operation at a time. */
import type { Draw } from "../crypto/Mutants.ts"
import { boundary, contentType as formContentType } from "../document/Forms.ts"
import { bodyBytesMax, fillings } from "./WorstBodies.ts"

export interface Grown {
  readonly what: string
  readonly body?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A valid request's body. */
export interface Example {
  readonly body: string | undefined
  readonly contentType: string
}

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const one = <A>(draw: Draw, all: ReadonlyArray<A>): A => {
  const found = all[draw(all.length)]
  if (found === undefined) throw new Error("nothing to choose from")
  return found
}

/** Small numbers are as frequent as large ones. */
const size = (draw: Draw, max: number): number => draw(2 ** (1 + draw(Math.ceil(Math.log2(max))))) % max

const longText = (draw: Draw, max: number): string => {
  const filling = one(draw, [...fillings, "\u0001", "\u0000", "\ud800", '"', "0", "P1D", "x@y.z."])
  return filling.repeat(Math.max(1, Math.floor(size(draw, max) / filling.length)))
}

/** Repeats as often as 1 MiB of JSON allows. */
const times = (draw: Draw, max: number, bytesOfOne: number): number =>
  size(draw, Math.max(2, Math.min(max, Math.floor(bodyBytesMax / bytesOfOne))))

const list = (draw: Draw, item: Json): Json =>
  Array.from({ length: times(draw, 20_000, JSON.stringify(item).length + 1) }, () => item)

const object = (draw: Draw, value: Json): Json => {
  const name = longText(draw, 400)
  const length = times(draw, 10_000, JSON.stringify({ [name]: value }).length + 6)
  return Object.fromEntries(Array.from({ length }, (_, index) => [`${name}${index}`, value]))
}

const nested = (draw: Draw, value: Json): Json => {
  let inner = value
  for (let depth = size(draw, 200); depth > 0; depth--) inner = draw(2) === 0 ? [inner] : { a: inner }
  return inner
}

const leaves: ReadonlyArray<Json> = [0, null, true, "", "x", {}, [], -1, 1e300, "\u0000", "InternalAccount:0"]

/** Replaces one value by a grown one. */
const grownValue = (draw: Draw, value: Json): Json => {
  const item = draw(2) === 0 ? value : one(draw, leaves)
  switch (draw(5)) {
    case 0:
      return longText(draw, 1_000_000)
    case 1:
      return list(draw, item)
    case 2:
      return object(draw, item)
    case 3:
      return nested(draw, draw(2) === 0 ? list(draw, item) : longText(draw, 100_000))
    default:
      return isObject(value) ? { ...value, ...Object(object(draw, item)) } : list(draw, list(draw, item))
  }
}

/** Grows a value at a random place, or as a whole. */
const grown = (draw: Draw, value: Json): Json => {
  if (draw(4) === 0 || typeof value !== "object" || value === null) return grownValue(draw, value)
  if (Array.isArray(value)) {
    const items: ReadonlyArray<Json> = value
    return items.length === 0
      ? grownValue(draw, value)
      : items.map((item) => (draw(2) === 0 ? grown(draw, item) : item))
  }
  const names = Object.keys(value)
  if (names.length === 0 || !isObject(value)) return grownValue(draw, value)
  const name = one(draw, names)
  return { ...value, [name]: grown(draw, value[name] ?? null) }
}

/** JSON of at most 1 MiB. */
const shortened = (text: string): string => Buffer.from(text).subarray(0, bodyBytesMax).toString()

const grownQuery = (draw: Draw, query: string): string => {
  const pairs = query.replace(/^\?/u, "").split("&").filter(Boolean)
  const [name = "", value = ""] = one(draw, [...pairs, "limit=1", "cursor=x", "unknown=1"]).split("=")
  const long = encodeURIComponent(longText(draw, 4000).toWellFormed())
  const added = one(draw, [
    `${name}=${long}`,
    `${long}=${value}`,
    Array.from({ length: size(draw, 2000) }, () => `${name}=${value}`).join("&"),
    Array.from({ length: size(draw, 1000) }, (_, index) => `${name}${index}=%00`).join("&"),
    `${name}=${"%00".repeat(size(draw, 3000))}`,
  ])
  return `?${[...pairs.filter(() => draw(2) === 0), added].join("&")}`
}

const grownHeaders = (draw: Draw): Readonly<Record<string, string>> => {
  const value = one(draw, ["k", "é", " x", '{"a":', "%00"])
    .repeat(size(draw, 10_000) + 1)
    .trim()
  const name = one(draw, [
    "idempotency-key",
    "service-wallet-signature",
    "request-id",
    "x-unknown",
    "content-type",
    "accept",
  ])
  return { [name]: value }
}

/** Grows a form: it ends early, repeats a part, or has a grown name, header or content. */
const grownForm = (draw: Draw, text: string): string => {
  const parts = text.split(`--${boundary}`)
  const at = draw(parts.length)
  const part = parts[at] ?? ""
  const replacedBy = (...changed: ReadonlyArray<string>) =>
    [...parts.slice(0, at), ...changed, ...parts.slice(at + 1)].join(`--${boundary}`)
  switch (draw(5)) {
    case 0:
      return text.slice(0, draw(text.length))
    case 1:
      return replacedBy(...Array.from({ length: times(draw, 20_000, part.length + boundary.length) }, () => part))
    case 2:
      return replacedBy(part.replace(/"[^"]*"/u, () => `"${longText(draw, 400_000)}"`))
    case 3:
      return replacedBy(part.replace("\r\n", () => `\r\nX-Grown: ${longText(draw, 400_000)}\r\n`))
    default:
      return replacedBy(`${part.slice(0, draw(part.length + 1))}${longText(draw, 1_000_000)}\r\n`)
  }
}

/** Grows one part of a valid request. */
export const grownRequest = (draw: Draw, { body, contentType }: Example, query: string): Grown => {
  const part = draw(8)
  if (part === 0) return { what: "query", ...(body === undefined ? {} : { body }), query: grownQuery(draw, query) }
  if (part === 1) return { what: "headers", ...(body === undefined ? {} : { body }), headers: grownHeaders(draw) }
  if (part === 2) return { what: "no JSON", body: shortened(longText(draw, bodyBytesMax)) }
  if (contentType === formContentType) return { what: "form", body: shortened(grownForm(draw, body ?? "")) }
  return { what: "body", body: shortened(JSON.stringify(grown(draw, JSON.parse(body ?? "{}")))) }
}
