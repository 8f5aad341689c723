/**
 * A table: rows under unique keys. Each concept has one, and schemas, pages and tests are derived from it.
 * Source: D-003.
 */

/** The keys of a table. */
type Key<Rows> = keyof Rows & string

export interface Table<Rows extends Record<string, unknown>> {
  readonly name: string
  readonly keys: ReadonlyArray<Key<Rows>>
  readonly rows: Rows
  readonly entries: ReadonlyArray<readonly [Key<Rows>, Rows[Key<Rows>]]>
  readonly has: (key: string) => key is Key<Rows>
  readonly get: <K extends Key<Rows>>(key: K) => Rows[K]
  /** Returns the row of a key, or `undefined` for an unknown key. */
  readonly find: (key: string) => Rows[Key<Rows>] | undefined
}

export const make = <const Rows extends Record<string, unknown>>(name: string, rows: Rows): Table<Rows> => {
  const keys = Object.keys(rows) as ReadonlyArray<Key<Rows>>
  const has = (key: string): key is Key<Rows> => Object.hasOwn(rows, key)
  const get = <K extends Key<Rows>>(key: K): Rows[K] => rows[key]
  return {
    name,
    keys,
    rows,
    entries: keys.map((key) => [key, get(key)]),
    has,
    get,
    find: (key) => (has(key) ? get(key) : undefined),
  }
}
