/**
 * A table per concept: rows under unique keys, from which everything else is derived.
 * Source: D-003.
 */

export interface Table<K extends string, Row> {
  readonly name: string
  readonly keys: ReadonlyArray<K>
  readonly rows: Readonly<Record<K, Row>>
  readonly entries: ReadonlyArray<readonly [K, Row]>
  readonly has: (key: string) => key is K
  readonly get: (key: K) => Row
  /** The row under a key that may be unknown. */
  readonly find: (key: string) => Row | undefined
}

export const make = <const Rows extends Record<string, unknown>>(
  name: string,
  rows: Rows,
): Table<keyof Rows & string, Rows[keyof Rows & string]> => {
  type K = keyof Rows & string
  const keys = Object.keys(rows) as ReadonlyArray<K>
  const has = (key: string): key is K => Object.hasOwn(rows, key)
  const get = (key: K): Rows[K] => rows[key]
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
