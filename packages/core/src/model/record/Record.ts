/**
 * The shape of every stored record: its owner, its version and its data.
 * Source: architecture, "A change set is the only way to write".
 */

/** The owner of a record: a platform, or one customer of a platform. */
export interface Owner {
  readonly platformId: string
  readonly customerId: string | null
}

/** A unique key. `platform`: unique among the records of one platform; `global`: unique in the whole deployment. */
export interface Claim {
  readonly scope: "platform" | "global"
  readonly key: string
}

/** A stored record. A change names the version that it was decided on. Times are Unix milliseconds. */
export interface RecordOf<Name extends string, Data> extends Owner {
  readonly kind: Name
  readonly id: string
  /** 1 after the insert, one more with each update. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly data: Data
}
