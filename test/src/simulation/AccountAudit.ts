/**
 * The auditor of a simulated run, its part about accounts outside: none is lost, none is added twice, each has been looked at, and is what was
 * last reported.
 * Source: wire contract 2.7.
 */
import type { ExternalAccountResource } from "@countersign/core/models"
import type { Answers } from "./ClientRequests.ts"
import { type EventsOf, stateProblems } from "./RecordEvents.ts"

/** What a check of its name does to an account that waits for it. */
const mayBecome = { PENDING: ["ACTIVE", "UNDER_REVIEW", "INACTIVE"] }

/** The end of the number of an account that its bank does not have. */
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
        // A verifier that did not know was asked again.
        ...((status === "INACTIVE") === platformAccountId.endsWith(notThere)
          ? []
          : [`${platformAccountId} is ${status}, whatever its bank said`]),
      ]
    }),
  ]
}
