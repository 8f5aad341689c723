/** The methods and the route of an address. Source: wire contract 0.2 (405) and 11 (55, 56). */
import { describe, expect, it } from "vitest"
import * as MethodTable from "../../../packages/adapter-http/src/middleware/MethodTable.ts"

const { methodsOf, routeOf } = MethodTable.make([
  { method: "GET", path: "/agents/:agentId" },
  { method: "DELETE", path: "/agents/:agentId" },
  { method: "GET", path: "/agents/me" },
  { method: "POST", path: "/agents" },
  { method: "PATCH", path: "relative" },
])

it.each<readonly [url: string, methods: ReadonlyArray<string>]>([
  ["/agents/a", ["GET", "DELETE", "HEAD", "OPTIONS"]],
  ["/agents/a?b=c", ["GET", "DELETE", "HEAD", "OPTIONS"]],
  ["/agents/me", ["GET", "DELETE", "HEAD", "OPTIONS"]],
  ["/agents", ["POST", "OPTIONS"]],
  ["//agents/", ["POST", "OPTIONS"]],
  ["/Agents", []],
  ["/agents/a/b", []],
  ["/relative", []],
  [`/agents/${"a".repeat(512)}`, ["GET", "DELETE", "HEAD", "OPTIONS"]],
  [`/agents/${"a".repeat(513)}`, []],
])("allows at %s the methods %j", (url, methods) => {
  expect(methodsOf(url)).toEqual(methods)
})

describe("the route of a request", () => {
  it.each<readonly [method: string, url: string, route: string | undefined]>([
    ["GET", "/agents/a?b=c", "/agents/:agentId"],
    ["HEAD", "/agents/a", "/agents/:agentId"],
    ["GET", "/agents/me", "/agents/me"],
    ["DELETE", "/agents/me", "/agents/:agentId"],
    ["HEAD", "/agents", undefined],
    ["PUT", "/agents/a", undefined],
    ["OPTIONS", "/agents/a", undefined],
    ["NONE", "/agents/a", undefined],
    ["GET", "/nowhere", undefined],
  ])("of %s %s is %s", (method, url, route) => {
    expect(routeOf(method, url)).toBe(route)
  })
})
