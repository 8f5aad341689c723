/**
 * The served document has the public operations under their public ids, and marks every other operation.
 * Source: wire contract areas 2.10 and 4; D-400.
 */
import { OpenApiDocument } from "@countersign/adapter-http"
import { Api } from "@countersign/client/api"
import { describe, expect, it } from "vitest"
import { publicOperations } from "./PublicOperations.ts"

const { at, isObject, text } = OpenApiDocument

const spelled = (operation: { readonly method: string; readonly path: string; readonly operationId: string }) =>
  `${operation.method} ${operation.path} ${operation.operationId}`

const paths = OpenApiDocument.make(Api, "/2025-10-13")["paths"]
const served = Object.entries(isObject(paths) ? paths : {}).flatMap(([path, item]) =>
  Object.entries(isObject(item) ? item : {}).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operationId: text(at(operation, "operationId")),
    isExtension: at(operation, "x-extension") === true,
  })),
)

describe("the operations of the document", () => {
  it("has 153 different public operations to compare with", () => {
    expect(new Set(publicOperations.map(({ method, path }) => `${method} ${path}`)).size).toBe(153)
    expect(new Set(publicOperations.map(({ operationId }) => operationId)).size).toBe(153)
  })

  it("are exactly the public ones, with their paths, parameter names and ids, except those marked as extensions", () => {
    const expected = publicOperations.map(spelled)
    const found = served.filter(({ isExtension }) => !isExtension).map(spelled)
    expect(found.toSorted()).toEqual(expected.toSorted())
  })

  it("have no extension under the id or the path of a public operation", () => {
    const extensions = served.filter(({ isExtension }) => isExtension)
    expect(extensions.length).toBeGreaterThan(0)
    const shape = ({ method, path }: { readonly method: string; readonly path: string }) =>
      `${method} ${path.replaceAll(/\{\w+\}/gu, "{}")}`
    const taken = new Set(publicOperations.flatMap((operation) => [shape(operation), operation.operationId]))
    const clashing = extensions.filter((one) => taken.has(shape(one)) || taken.has(one.operationId))
    expect(clashing.map(spelled)).toEqual([])
  })
})
