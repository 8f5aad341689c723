/**
 * A statement: one obligation of the service by the specification, under an id that never changes.
 * Source: the specification, in the project's own words; which tests prove it is found by the id in the tests.
 */

export interface Statement {
  /** As `RES-AGENT-ACTION-03`: area in capitals, words and a two-digit number; it never changes once given. */
  readonly id: string
  /** In the project's own words; never the specification's sentence. */
  readonly says: string
  /** Why no test can prove it: an area that is only named, or a code that nothing can reach. */
  readonly namedOnly?: string
}

/** The statements of one part of the specification, in its order. */
export interface Section {
  readonly title: string
  readonly statements: ReadonlyArray<Statement>
}
