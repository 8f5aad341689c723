/** The search of the page: every word counts, in any order and case, over all texts of an operation. Source: D-440. */
import { expect, it } from "vitest"

interface Entry {
  readonly get: (name: string) => unknown
}
interface Tag extends Entry {
  readonly update: (name: string, change: (operations: ReadonlyArray<Entry>) => ReadonlyArray<Entry>) => Tag
}
interface Search {
  readonly searchPlugin: (system: object) => {
    readonly fn: { readonly opsFilter: (tags: Map<string, Tag>, phrase: unknown) => Map<string, Tag> }
  }
}

const file = new URL("../../../packages/adapter-http/assets/reference-search.js", import.meta.url)
const { searchPlugin }: Search = await import(file.href)
const { opsFilter } = searchPlugin({ React: {} }).fn

const entry = (values: Readonly<Record<string, unknown>>): Entry => ({ get: (name) => values[name] })

const tagOf = (operations: ReadonlyArray<Entry>): Tag => ({
  get: () => ({ size: operations.length, all: operations }),
  update: (_name, change) => tagOf(change(operations)),
})

/** The renderer's ordered map, as far as the search uses it. */
class Tags extends Map<string, Tag> {
  map(change: (tag: Tag, name: string) => Tag): Tags {
    return new Tags([...this].map(([name, tag]) => [name, change(tag, name)]))
  }
  filter(keeps: (tag: Tag) => boolean): Tags {
    return new Tags([...this].filter(([, tag]) => keeps(tag)))
  }
}

const operation = (method: string, path: string, operationId: string, summary: string) =>
  entry({ method, path, operation: entry({ operationId, summary }) })

const tags = new Tags([
  [
    "Platform",
    tagOf([
      operation("get", "/config", "getPlatformConfig", "Get the configuration"),
      operation("patch", "/config", "updatePlatformConfig", "Change the configuration"),
    ]),
  ],
  ["Cards", tagOf([operation("get", "/cards", "listCards", "List cards")])],
])

const found = (phrase: unknown) =>
  [...opsFilter(tags, phrase).values()].flatMap((tag) =>
    Object(tag.get("operations")).all.map((each: Entry) => Object(each.get("operation")).get("operationId")),
  )

it.each<readonly [phrase: unknown, ids: ReadonlyArray<string>]>([
  ["platform patch", ["updatePlatformConfig"]],
  ["PATCH  config", ["updatePlatformConfig"]],
  ["platform cards", []],
  ["get /c", ["getPlatformConfig", "listCards"]],
  ["change", ["updatePlatformConfig"]],
  [true, ["getPlatformConfig", "updatePlatformConfig", "listCards"]],
])("for %j finds %j", (phrase, ids) => {
  expect(found(phrase)).toEqual(ids)
})
