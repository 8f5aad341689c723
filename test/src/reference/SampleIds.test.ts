/** The ids that the page puts into its samples: which, from where, and never on a live server. Source: D-484. */
import { OpenApiDocument } from "@countersign/adapter-http"
import { Api, endpointsOf } from "@countersign/client/api"
import { expect, it } from "vitest"
import { codeSamples } from "../../../packages/adapter-http/src/server/CodeSamples.ts"
import { placeholders as examples } from "../../../packages/adapter-http/src/server/Placeholders.ts"
import { filled, placeholders, readIds, unfilled } from "./SampleIds.ts"

const endpoints = endpointsOf(Api)
const document = OpenApiDocument.make(Api, "/2025-10-13")
const samples = Object.values(codeSamples(document, () => "group")).flat()
const agent = "Agent:00000000-0000-4000-8000-000000000001"
const token = "Token:00000000-0000-4000-8000-000000000001"

/** A server whose lists have these records; it has a clock if it is a sandbox. */
const server = (lists: Readonly<Record<string, ReadonlyArray<object>>>, isSandbox = true) => {
  const asked: Array<string> = []
  const read = async (path: string) => {
    asked.push(path)
    if (path === "/sandbox/clock") return isSandbox ? {} : undefined
    const [, data] = Object.entries(lists).find(([start]) => path.startsWith(start)) ?? []
    return data === undefined ? undefined : { data }
  }
  return { asked, read }
}

it("are known for each placeholder of the samples, with an operation that answers one", () => {
  const used = new Set(samples.flatMap(({ source }) => source.match(/\w+:0{8}-0000-4000-8000-0{11}\d/gu) ?? []))
  expect(used.size).toBeGreaterThan(20)
  // A line of Python has its own escapes before an id.
  expect([...used].filter((id) => !placeholders.some((known) => id.endsWith(known)))).toEqual([])
  expect(Object.values(examples).filter((id) => typeof id === "string" && !placeholders.includes(id))).toEqual([])
  const operations = endpoints.map(({ endpoint }) => endpoint.identifier)
  const makers = unfilled(placeholders.join(" ")).map(({ maker }) => maker.split(" ")[0] ?? "")
  expect(makers).toHaveLength(placeholders.length)
  expect(makers.filter((maker) => !operations.includes(maker))).toEqual([])
})

it("are no part of a sample's own words", () => {
  const words = endpoints.map(({ endpoint }) => `${endpoint.path} ${endpoint.identifier}`).join(" ")
  expect(placeholders.filter((placeholder) => words.includes(placeholder))).toEqual([])
  expect(samples.filter(({ source }) => /\/text\b|: "text"/u.test(source))).toEqual([])
})

it("belong together: an action, its agent, and its customer's accounts", async () => {
  const { read } = server({
    "/agents/approvals": [{ id: "AgentAction:a", agentId: "Agent:b", customerId: "Customer:c" }],
    "/customers/external-accounts?customerId=Customer:c&": [{ id: "ExternalAccount:d" }],
    "/operator/records?type=Agent&": [{ id: "Agent:newer" }],
  })
  const ids = await readIds(read)
  const source = `${agent} ${examples.customer} ${examples.external} ${examples.internal}`
  expect(filled(source, ids, "")).toBe(`Agent:b Customer:c ExternalAccount:d ${examples.internal}`)
  expect(unfilled(filled(source, ids, ""))).toEqual([{ placeholder: examples.internal, maker: "createCustomer" }])
})

it("leave out deleted records and the reader's own token", async () => {
  const { read } = server({
    "/operator/records?type=Agent&": [{ id: "Agent:gone", isDeleted: true }, { id: "Agent:here" }],
    "/tokens": [{ id: "Token:own", clientId: "first", secrets: [] }],
  })
  const ids = await readIds(read, "first")
  expect([ids.get(agent), ids.get(token)]).toEqual(["Agent:here", undefined])
})

it("are read by operations that the document has, with parameters that it names", async () => {
  const asked: Array<string> = []
  // Each list has a record with every field, so that no path is left out for want of an earlier value.
  const every = { id: "id", agentId: "id", customerId: "id", umaAddress: "id", name: "id", secrets: [{ id: "id" }] }
  await readIds(async (path) => {
    asked.push(path)
    return { data: [every] }
  })
  // Nor because an earlier row won.
  for (const hidden of ["agentId", "customerId", "id"]) {
    const { [hidden]: _, ...less } = Object(every)
    await readIds(async (path) => {
      asked.push(path)
      return { data: [less] }
    })
  }
  const operations = Object.entries(Object(document["paths"])).flatMap(([path, item]) => {
    const { get } = Object(item)
    const pattern = new RegExp(`^${path.replace("/2025-10-13", "").replaceAll(/\{\w+\}/gu, "[^/]+")}$`, "u")
    return get === undefined ? [] : [{ pattern, parameters: get.parameters ?? [] }]
  })
  const wrong = [...new Set(asked)].filter((path) => {
    const { pathname, searchParams } = new URL(path, "http://sandbox.test")
    const isNamed = operations.some(({ parameters, pattern }) => {
      const names = parameters.map(({ name }: { readonly name: string }) => name)
      return pattern.test(pathname) && [...searchParams.keys()].every((name) => names.includes(name))
    })
    const type = pathname === "/operator/records" ? searchParams.get("type") : null
    const isKind = type === null || placeholders.some((placeholder) => placeholder.startsWith(`${type}:`))
    return !isNamed || !isKind
  })
  expect(asked.length).toBeGreaterThan(25)
  expect(wrong).toEqual([])
})

it("are not read from a live server", async () => {
  const { asked, read } = server({ "/operator/records?type=Agent&": [{ id: "Agent:real" }] }, false)
  expect(await readIds(read)).toEqual(new Map())
  expect(asked).toEqual(["/sandbox/clock"])
})

it("come with the address of this server", () => {
  const [{ source } = { source: "" }] = samples
  expect(filled(source, new Map(), "http://sandbox.test:1")).toContain("HOST:-http://sandbox.test:1}")
})
