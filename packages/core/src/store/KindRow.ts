/**
 * The row of a stored kind: its schema, its list filters, its unique keys and its state fields.
 * Source: architecture, "A change set is the only way to write".
 */
import type { Schema } from "effect"
import type { ArrowTable } from "../foundation/kit/Machine.ts"
import type { Claim, Owner } from "../model/record/Record.ts"

/** A value of a list filter. */
export type FieldValue = string | number | boolean | null
/** The value of a listed field: one value, or a list of them. */
export type ListedValue = FieldValue | ReadonlyArray<FieldValue>

/** How a record affects the deletion of its customer, given its current data. Source: wire contract 11 (22); D-081. */
export interface CustomerTie<Data, Ended = Data> {
  /** The customers whom the record ties; absent: its owner. They never change. */
  readonly customers?: (data: Data) => ReadonlyArray<string>
  /** Whether the record prevents the deletion. */
  readonly blocksDeletion?: (data: Data) => boolean
  /** Returns the data after the deletion; `undefined`: the record has already ended. */
  readonly onCustomerDeleted?: (data: Data) => Ended | undefined
  /** Whether the deletion erases the record's earlier versions. */
  readonly erasesHistory?: true
}

/** The row of a stored kind. */
export interface KindRow<Data> {
  readonly schema: Schema.Codec<Data, unknown>
  /** The filters of `list`, in addition to `customerId`, `createdAt` and `updatedAt`, which every kind has. */
  readonly fields: { readonly [name: string]: (data: Data) => ListedValue }
  /** The unique keys that the record holds, given its current data. */
  readonly claims: (data: Data, owner: Owner) => ReadonlyArray<Claim>
  /** Fields whose exact value selects a list, each served by an index: texts, or null for records that no list by it has. */
  readonly indexed: ReadonlyArray<string>
  /**
   * Fields of few values, with all of them: every index is divided by them, so that a list by any of them, or by none, reads no record
   * of another value. A new field becomes a part one release after its column, because records without the column are in no list.
   */
  readonly parts: { readonly [name: string]: ReadonlyArray<string | boolean> }
  /** Fields that are lists, served by an index of their members. */
  readonly indexedMembers: ReadonlyArray<string>
  /** Values of other fields that few records have at a time, each served by a partial index. */
  readonly partialIndex: { readonly [name: string]: ReadonlyArray<string | boolean> }
  /** Whether clients page through its records: a total count must not cost more when there are more. */
  readonly isPaged: boolean
  /** Whether clients list its records by the time of their last update. */
  readonly isListedByUpdate: boolean
  readonly customerTie: CustomerTie<Data>
  /**
   * The fields that hold a state, by path, each with its machine; of several machines the record's type decides. Their transitions
   * are counted. An empty list: the states have no machine.
   */
  readonly states: { readonly [path: string]: ReadonlyArray<ArrowTable> }
  /** Whether its records are immutable. */
  readonly isFinal: boolean
  /** Returns the data with the state that time alone has given it, even if that is not stored yet. */
  readonly asOf?: (data: Data, now: number) => Data
}

/** Returns the row of a kind, with defaults for what its records do not need. */
export const kind = <Data>(
  schema: Schema.Codec<Data, unknown>,
  fields: KindRow<Data>["fields"] = {},
  claims: KindRow<Data>["claims"] = () => [],
  {
    asOf,
    isFinal = false,
    isListedByUpdate = false,
    isPaged = false,
    partialIndex = {},
    indexed = [],
    indexedMembers = [],
    parts = {},
    states = {},
    ...customerTie
  }: CustomerTie<Data> & Partial<Omit<KindRow<Data>, "schema" | "fields" | "claims" | "customerTie">> = {},
): KindRow<Data> => ({
  schema,
  fields,
  claims,
  customerTie,
  indexed,
  parts,
  indexedMembers,
  partialIndex,
  isPaged,
  isListedByUpdate,
  states,
  isFinal,
  ...(asOf === undefined ? {} : { asOf }),
})
