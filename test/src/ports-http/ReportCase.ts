/** A report in a service of its own: whom it is about, its effect, and a newer report that contradicts it. */
import type { Harness } from "../../../packages/test/src/harness/Harness.ts"

type Members = Readonly<Record<string, unknown>>

export interface ReportWorld {
  readonly pay: Harness
  /** Whom or what it is about; a test replaces the values. */
  readonly about: Readonly<Record<string, string>>
  readonly content: Members
  /** What a later report about the same subject says. */
  readonly newer: Members
  /** What the report changes, as clients see it. */
  readonly state: () => Promise<unknown>
}

export interface ReportCase {
  readonly start: () => Promise<ReportWorld>
  readonly before: unknown
  readonly after: unknown
  /** After the newer report, too. */
  readonly newest: unknown
  /** The answer. Default: `{}`. */
  readonly answer?: unknown
}

export interface ReportCases {
  readonly [path: string]: ReportCase
}

/** How many events of a type were delivered. */
export const eventCount = async (pay: Harness, type: string): Promise<number> => {
  await pay.settle()
  return pay.inbox.received.filter((event) => event.type === type).length
}
