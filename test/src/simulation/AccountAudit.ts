/**
 * The part of the auditor for external accounts: none is lost or added twice, each was verified and has the state of its last event.
 * Source: wire contract 2.7.
 */
import type { ExternalAccountResource } from "@countersign/core/models"
import type { Answers } from "./Answers.ts"
import { type EventsOf, stateProblems } from "./RecordEvents.ts"

/** The effect of a name check on an account that waits for it. */
const mayBecome = { PENDING: ["ACTIVE", "UNDER_REVIEW", "INACTIVE"] }

/** The suffix of an account number that the bank does not know. */
const notThere = "-105"

export const accountProblems = (
  answers: Answers,
  eventsOf: EventsOf,
  accounts: ReadonlyArray<ExternalAccountResource>,
): ReadonlyArray<string> => {
  const added = accounts.filter(({ platformAccountId }) => platformAccountId !== undefined)
  const ids = new Set(accounts.map(({ id }) => id))
  const names = added.map(({ platformAccountId }) => platformAccountId)
  return [
    ...(new Set(names).size === names.length ? [] : ["one account outside was added twice"]),
    ...[...answers.outside.values()].flatMap((id) =>
      id === null || ids.has(id) || answers.removed.has(id) ? [] : [`${id} was answered and does not exist`],
    ),
    ...added.flatMap(({ id, platformAccountId = "" }) =>
      answers.outside.get(platformAccountId) === id ? [] : [`${id} exists without a request`],
    ),
    ...[...answers.removed].filter((id) => ids.has(id)).map((id) => `${id} was removed and is there`),
    ...added.flatMap(({ id, platformAccountId = "", status }) => {
      const events = eventsOf(id, "EXTERNAL_ACCOUNT.").map((event) => [event, String(event.data["status"])] as const)
      // An account without events was decided when it was added.
      const first = events.length === 0 ? status : "PENDING"
      return [
        ...stateProblems(id, { events, first, last: status, mayBecome }),
        ...(status === "PENDING" ? [`${id} is still looked at`] : []),
        // A verifier that answered `Unknown` was asked again.
        ...((status === "INACTIVE") === platformAccountId.endsWith(notThere)
          ? []
          : [`${platformAccountId} is ${status}, whatever its bank said`]),
      ]
    }),
  ]
}
