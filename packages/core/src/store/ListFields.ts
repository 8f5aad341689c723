/**
 * The fields by which records of a kind are listed, as functions of data whose kind is known at run time only.
 * Source: store/KindRow.ts (fields); D-539.
 */
import type { ListedValue } from "./KindRow.ts"
import { type Kind, Kinds } from "./Kinds.ts"

/** Returns the list fields of a kind by name. `data` must be the data of a record of this kind. */
export const listFieldsOf = (kind: Kind): { readonly [field: string]: (data: unknown) => ListedValue } =>
  Kinds.get(kind).fields as { readonly [field: string]: (data: unknown) => ListedValue }
