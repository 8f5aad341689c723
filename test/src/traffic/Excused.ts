/** The documented statuses that no test reaches, each with the reason why a caller of the tests cannot cause it. */

/** By reason: `METHOD path status`. */
const byReason: Readonly<Record<string, ReadonlyArray<string>>> = {}

export const excused: ReadonlyArray<string> = Object.values(byReason).flat()
