/**
 * The messages of the sources that no test has received over HTTP, and those of them that are excused.
 * Source: D-545.
 */
import type { MessageSource } from "./MessageSources.ts"

/** By reason: the beginnings of texts that no answer of the tests shows. */
const excused: Readonly<Record<string, ReadonlyArray<string>>> = {
  "It is a text of a record or of a page, and no refusal: of an action, an import, a scenario, an evaluation or a vote.":
    [
      "it failed.",
      "The transaction failed.",
      "The import failed.",
      "The scenario $",
      "It had made nothing.",
      "The agent's policy holds every action on this account.",
      "The agent's policy holds every action.",
      "The amount is above the approval threshold.",
      "The deployment's approval policy holds the action.",
      "Only when the rule decided.",
      "The row lacks required cells.",
      "The row has invalid cells.",
      "The row has more than the $",
      "The time to approve the action is over.",
      "You have signed in without a passkey",
      "You have asked for this action",
      "You have signed in with the API token",
      "You have approved this action already.",
      "This approval needs your passkey.",
      "its header is damaged",
    ],
  "The command line shows it to an operator.": [
    "The store has no wallet root",
    "New wallets use this root. Add another one first.",
    "The service's own keys come from this root",
    "The keys of $",
    "A process may still make a wallet of this root.",
    "A store has at most $",
    "The store has a wallet root.",
  ],
  "It answers the report of a bank, in the service of ports.": [
    "must be a number above 0",
    "must be an integer of at least 0",
    "must be the id of a quote",
  ],
  "A port or the store fails at that moment, or another request comes first; tests of the service show it.": [
    "The records of this request change too quickly. Try again.",
    "The job has been taken over.",
    "The file cannot be read now. Try again.",
    "The token cannot be checked now. Try again.",
    "The key of this wallet cannot be derived at present. Try again later.",
    "The request could not be read.",
    "The approver has just signed in elsewhere. Try again.",
  ],
  "A test of the rule or of the decision shows it; over HTTP another check answers first, or the state is not reached.":
    [
      "The path and query are longer than $",
      "This process has no routes of its own.",
      "must be LIVENESS: wallets of this type sign no messages",
      "This approval needs your passkey, and you have registered none.",
      "The amount would take a balance beyond what can be kept exactly.",
      "The key is not waiting to be activated.",
      "must have fewer than $",
      "This deployment has no faults to switch on.",
      "A platform's own quote needs no challenge.",
      "The world is too large",
      "The ownership of the external account must be verified first.",
      "The agent's access has been revoked.",
      "The amount cannot be compared with the agent's limits: no exchange rate.",
      "The amount is beyond what the agent's budget can count exactly.",
      "The amounts would go beyond what can be kept exactly.",
      "A reveal is audited: it needs an API token.",
      "The document belongs to a verification that has ended.",
      "The platform does not send $",
      "Nothing would be left of this amount, or it is more than can be kept exactly.",
      "The credentials do not reach this provider account.",
      "must be an account that the credentials reach",
      "The rail does not reach the external account.",
      "Only the platform may do this.",
      "must begin a period of at most $",
    ],
}

export const unansweredOf = (
  written: ReadonlyArray<MessageSource>,
  answered: ReadonlyArray<string>,
): ReadonlyArray<MessageSource> => written.filter(({ pattern }) => !answered.some((text) => pattern.test(text)))

/** The most texts that one run may lack, because random inputs reach some in most runs only. They are printed. */
export const missingMax = 2

/** What a complete run lacks: an answer with each text, but those excused. */
export const problemsOfUnanswered = (
  unanswered: ReadonlyArray<MessageSource>,
  excuses: Readonly<Record<string, ReadonlyArray<string>>> = excused,
): ReadonlyArray<string> => {
  const beginnings = Object.values(excuses).flat()
  return unanswered
    .filter(({ text }) => !beginnings.some((beginning) => text.startsWith(beginning)))
    .map(({ path, text }) => `no test receives the message "${text}" of ${path}`)
}
