/**
 * Arbitraries of every stored kind and every wire schema, derived from the tables: a new row needs no change here.
 * Source: architecture, "One table per concept; everything else is derived".
 */

import * as models from "@countersign/core/models"
import { type DataOf, type Kind, Kinds } from "@countersign/core/store"
import { Schema } from "effect"
import type fc from "fast-check"
import { fromSchema, type PlainSchema } from "./FromSchema.ts"
import { accounts, type KnownValues, overridesFor } from "./Overrides.ts"

type Models = typeof models

/** The name of a wire schema. */
export type ModelName = { [N in keyof Models]: Models[N] extends Schema.Top ? N : never }[keyof Models]
type TypeOf<N extends ModelName> = Models[N] extends { readonly Type: infer A } ? A : never

/** The names of all wire schemas. */
export const modelNames: ReadonlyArray<ModelName> = Object.entries(models).flatMap(([name, value]) =>
  Schema.isSchema(value) ? [name as ModelName] : [],
)

/** Arbitraries for fields of a kind that depend on each other, which its schema does not express. */
const dependentFields: { readonly [K in Kind]?: fc.Arbitrary<Partial<DataOf<K>>> } = {
  ExternalAccount: accounts as fc.Arbitrary<Partial<DataOf<"ExternalAccount">>>,
}

const schemas: { readonly [name: string]: unknown } = models

/** Returns the wire schema with this name. */
export const modelSchema = <N extends ModelName>(name: N): PlainSchema<TypeOf<N>> =>
  schemas[name] as PlainSchema<TypeOf<N>>

/** Generates the data of records of a kind. */
export const arbitraryOf = <K extends Kind>(kind: K, known: KnownValues = {}): fc.Arbitrary<DataOf<K>> => {
  const data = fromSchema<DataOf<K>>(Kinds.get(kind).schema as PlainSchema<DataOf<K>>, overridesFor(known))
  const fields = dependentFields[kind]
  return fields === undefined ? data : data.chain((whole) => fields.map((some) => Object.assign({}, whole, some)))
}

/** Generates values of a wire schema. */
export const modelOf = <N extends ModelName>(name: N, known: KnownValues = {}): fc.Arbitrary<TypeOf<N>> =>
  fromSchema(modelSchema(name), overridesFor(known))
