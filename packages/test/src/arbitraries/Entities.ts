/**
 * Arbitraries of every stored kind and of every schema of the wire, from the tables: a new row has one at once.
 * Source: architecture, "A table per concept".
 */

import * as models from "@countersign/core/models"
import { type DataOf, type Kind, Kinds } from "@countersign/core/store"
import { Schema } from "effect"
import type fc from "fast-check"
import { fromSchema, type PlainSchema } from "./FromSchema.ts"
import { accounts, type KnownValues, overridesFor } from "./Overrides.ts"

type Models = typeof models

/** The schemas of the wire by their names. */
export type ModelName = { [N in keyof Models]: Models[N] extends Schema.Top ? N : never }[keyof Models]
type TypeOf<N extends ModelName> = Models[N] extends { readonly Type: infer A } ? A : never

/** All names of schemas of the wire. */
export const modelNames: ReadonlyArray<ModelName> = Object.entries(models).flatMap(([name, value]) =>
  Schema.isSchema(value) ? [name as ModelName] : [],
)

/** What schemas do not say of a kind: which of its fields belong together. */
const together: { readonly [K in Kind]?: fc.Arbitrary<Partial<DataOf<K>>> } = {
  ExternalAccount: accounts as fc.Arbitrary<Partial<DataOf<"ExternalAccount">>>,
}

const schemas: { readonly [name: string]: unknown } = models

/** The schema of the wire of this name. */
export const modelSchema = <N extends ModelName>(name: N): PlainSchema<TypeOf<N>> =>
  schemas[name] as PlainSchema<TypeOf<N>>

/** The data of records of a kind. */
export const arbitraryOf = <K extends Kind>(kind: K, known: KnownValues = {}): fc.Arbitrary<DataOf<K>> => {
  const data = fromSchema<DataOf<K>>(Kinds.get(kind).schema as PlainSchema<DataOf<K>>, overridesFor(known))
  const fields = together[kind]
  return fields === undefined ? data : data.chain((whole) => fields.map((some) => Object.assign({}, whole, some)))
}

/** The values of a schema of the wire: what is sent and what is shown. */
export const modelOf = <N extends ModelName>(name: N, known: KnownValues = {}): fc.Arbitrary<TypeOf<N>> =>
  fromSchema(modelSchema(name), overridesFor(known))
