/** A numbered step forward of the schema. A released migration is never edited. */

export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
}
