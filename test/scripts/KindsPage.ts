/** The page of stored kinds: what each record holds, by which fields it is listed, and which unique keys it may hold. */
import { type Claim, type DataOf, type Kind, Kinds, type Owner } from "@countersign/core/store"
import { Arbitrary, Effect, Schema } from "effect"
import { code, codes, page, table } from "./Markdown.ts"

type Shape = { readonly [name: string]: unknown }

const isShape = (value: unknown): value is Shape => typeof value === "object" && value !== null && !Array.isArray(value)
const shape = (value: unknown): Shape => (isShape(value) ? value : {})
const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** A JSON schema in a few words. */
const typeOf = (schema: Shape): string => {
  const reference = schema["$ref"]
  if (typeof reference === "string") return reference.split("/").at(-1) ?? reference
  if (schema["enum"] !== undefined) return codes(list(schema["enum"]).map(String))
  if (schema["anyOf"] !== undefined)
    return list(schema["anyOf"])
      .map((part) => typeOf(shape(part)))
      .join(" or ")
  if (schema["type"] === "array") return `list of ${typeOf(shape(schema["items"]))}`
  return typeof schema["type"] === "string" ? schema["type"] : "any JSON"
}

/** The unique keys that samples of the kind hold: scope and name. */
const claimsOf = <K extends Kind>(kind: K): ReadonlyArray<string> => {
  const { schema } = Kinds.get(kind)
  const row = Kinds.get(kind) as { readonly claims: (data: DataOf<K>, owner: Owner) => ReadonlyArray<Claim> }
  const samples = Effect.runSync(Arbitrary.sampleEffect(Arbitrary.schema(schema), { count: 30, seed: 1 }))
  const owner = { platformId: "PlatformConfig:1", customerId: "Customer:1" }
  const found = samples.flatMap((data) =>
    row.claims(data as DataOf<K>, owner).map(({ key, scope }) => `${code(key.split(":")[0] ?? key)} (${scope})`),
  )
  return [...new Set(found)].toSorted()
}

/** A record's fields; of a kind with several shapes those of all, each with every type that it has. */
const fieldsOf = (document: Shape): ReadonlyArray<{ name: string; type: string; isRequired: boolean }> => {
  const shapes = document["anyOf"] === undefined ? [document] : list(document["anyOf"]).map(shape)
  const names = new Set(shapes.flatMap((each) => Object.keys(shape(each["properties"]))))
  return [...names].map((name) => {
    const types = shapes.flatMap((each) => shape(each["properties"])[name] ?? []).map(shape)
    const isClosed = types.every((type) => type["enum"] !== undefined)
    return {
      name,
      type: isClosed
        ? codes([...new Set(types.flatMap((type) => list(type["enum"]).map(String)))])
        : [...new Set(types.map(typeOf))].join(" or "),
      isRequired: shapes.every((each) => list(each["required"]).includes(name)),
    }
  })
}

const section = (kind: Kind): string => {
  const { fields, schema } = Kinds.get(kind)
  const document = shape(Schema.toJsonSchemaDocument(schema).schema)
  const listed = Object.keys(fields)
  const claims = claimsOf(kind)
  return [
    `## ${kind}`,
    table(
      ["Field", "Type", "Always there", "Lists filter by it"],
      fieldsOf(document).map(({ isRequired, name, type }) => [
        code(name),
        type,
        isRequired ? "yes" : "",
        listed.includes(name) ? "yes" : "",
      ]),
    ),
    ...(claims.length === 0 ? [] : [`Unique keys: ${claims.join(", ")}.`]),
  ].join("\n\n")
}

export const kindsPage = (): string =>
  page(
    "Stored kinds",
    "`Kinds`",
    "What is kept of each record, beside its id, owner, version and times. Every kind is listed by `customerId`, `createdAt` and `updatedAt` too. Secrets are kept as hashes only.",
    ...Kinds.keys.map(section),
  )
