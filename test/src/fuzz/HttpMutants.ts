/** Mutations of HTTP/1.1 by its lines: the request line, headers and what separates them. */
import { type Draw, mutantText } from "../crypto/Mutants.ts"
import { byteMutator } from "./ByteMutants.ts"
import type { Mutator } from "./Target.ts"

const oneOf = <Value>(draw: Draw, from: ReadonlyArray<Value>): Value | undefined => from[draw(from.length)]

const lines = [
  "Host: b",
  "Content-Length: 2",
  "Content-Length: 0",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip, chunked",
  "Connection: close",
  "Connection: keep-alive, Upgrade",
  "Upgrade: h2c",
  "Expect: 100-continue",
  "Content-Type: text/plain",
  "Content-Encoding: gzip",
  "Accept: */*;q=0",
  "Authorization: Basic",
  "Idempotency-Key: a",
  "X-Forwarded-For: 127.0.0.1, ::1",
  "X-Http-Method-Override: DELETE",
  "Cookie: a=b; c",
  "If-None-Match: *",
  "Origin: null",
  "Range: bytes=0-",
]
const methods = ["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS", "PUT", "TRACE", "get"]
const targets = [
  "/",
  "//",
  "/%2e%2e/",
  "/..;/",
  "/%00",
  "/%ff",
  "/?",
  "/%",
  "*",
  "http://a/",
  "/a?b=%",
  "/\\",
  "/;a",
  "/%c3%a9",
  "/[",
  "/|",
]

const escaped = (byte: number): string => `%${(byte || 0).toString(16).padStart(2, "0")}`

const mutantOfTarget = (draw: Draw, target: string): string => {
  const kind = draw(8)
  const at = draw(target.length + 1)
  if (kind === 0) return target.slice(0, at) + (oneOf(draw, targets) ?? "") + target.slice(at)
  if (kind === 1) return target.slice(0, at) + escaped(target.charCodeAt(at) % 256) + target.slice(at + 1)
  if (kind === 2) return target.slice(0, at) + escaped(draw(256)) + target.slice(at)
  if (kind === 3) return `${target}${target.includes("?") ? "&" : "?"}limit=${draw(200)}`
  if (kind === 4) return target.split("/").toReversed().join("/")
  return mutantText(draw, target || "/")
}

const mutantOfRequestLine = (draw: Draw, line: string): string => {
  const [method = "", target = "", ...rest] = line.split(" ")
  const kind = draw(8)
  if (kind === 0) return [oneOf(draw, methods), target, ...rest].join(" ")
  if (kind === 1) return byteMutator(draw, line)
  if (kind === 2) return [method, target, oneOf(draw, ["HTTP/1.0", "HTTP/1.1", "HTTP/2.0", "HTTP/1.2"])].join(" ")
  return [method, mutantOfTarget(draw, target), ...rest].join(" ")
}

const mutantOfHeader = (draw: Draw, line: string): string => {
  const kind = draw(5)
  const [name = "", ...value] = line.split(":")
  if (kind === 0) return line.toUpperCase()
  if (kind === 1) return `${name}:${byteMutator(draw, value.join(":") || " ")}`
  if (kind === 2) return `${name}: ${"\t "[draw(2)]}${value.join(":").trim()}${" ".repeat(draw(3))}`
  return mutantText(draw, line || "a")
}

/** Changes a request with its head and body. */
export const httpMutator: Mutator = (draw, input) => {
  if (draw(8) === 0) return byteMutator(draw, input)
  const all = input.split("\r\n")
  const at = draw(3) === 0 ? 0 : draw(all.length)
  const line = all[at] ?? ""
  const kind = draw(8)
  if (kind === 0) return all.toSpliced(at, 1).join("\r\n")
  if (kind === 1) return all.toSpliced(at, 0, line).join("\r\n")
  if (kind === 2) return all.toSpliced(1 + draw(all.length), 0, oneOf(draw, lines) ?? "").join("\r\n")
  const changed = at === 0 ? mutantOfRequestLine(draw, line) : mutantOfHeader(draw, line)
  return all.with(at, changed).join("\r\n")
}
