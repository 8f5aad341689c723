/** Statements of the specification's states and transitions: of actions, of cards, of sessions, and the sets that it only lists. */
import type { Section } from "../Statement.ts"

const noMoves = "The specification lists the states and shows no move between them."

export const states: Section = {
  title: "States and transitions",
  statements: [
    { id: "STATE-ACTION-01", says: "An action whose amount the policy wants approved begins in `PENDING_APPROVAL`." },
    {
      id: "STATE-ACTION-02",
      says: "The start in `PENDING_APPROVAL` sends an `AGENT_ACTION.PENDING_APPROVAL` event.",
    },
    { id: "STATE-ACTION-03", says: "An action in `PENDING_APPROVAL` has no transaction." },
    { id: "STATE-ACTION-04", says: "An action that the policy allows starts in `APPROVED`." },
    { id: "STATE-ACTION-05", says: "An action that begins in `APPROVED` shows its transaction." },
    { id: "STATE-ACTION-06", says: "The platform's approve moves a waiting action to `APPROVED`." },
    { id: "STATE-ACTION-07", says: "Approve begins the execution, and the action shows its transaction from then on." },
    { id: "STATE-ACTION-08", says: "Approve asks the policy and the accounts as they are at that moment." },
    { id: "STATE-ACTION-09", says: "The platform's reject moves a waiting action to `REJECTED`." },
    { id: "STATE-ACTION-10", says: "A rejected action may carry a `rejectionReason`, and need not." },
    { id: "STATE-ACTION-11", says: "What was rejected is never executed: no money moves." },
    { id: "STATE-ACTION-12", says: "An approved action whose execution fails moves to `FAILED`." },
    { id: "STATE-ACTION-13", says: "The execution of an approved action fails where its quote has ended." },
    { id: "STATE-ACTION-14", says: "The execution of an approved action fails where funds are missing." },
    { id: "STATE-ACTION-15", says: "Approving does not execute what a paused agent asked for." },
    { id: "STATE-ACTION-16", says: "Approving does not execute what the limits, lowered since, refuse." },
    { id: "STATE-ACTION-17", says: "Approving does not execute what touches an account that is no longer permitted." },
    {
      id: "STATE-ACTION-18",
      says: "Approving does not execute what the day's spending, grown since, leaves no room for.",
    },
    { id: "STATE-ACTION-19", says: "Approving does not execute a quote that has ended since." },

    {
      id: "STATE-CARD-01",
      says: "Issuing a card to an approved cardholder answers at once with the card in `PROCESSING`.",
    },
    { id: "STATE-CARD-02", says: "A card comes about only where its cardholder's `kycStatus` is `APPROVED`." },
    { id: "STATE-CARD-03", says: "A card comes about only where its funding sources are eligible." },
    { id: "STATE-CARD-04", says: "A card in `PROCESSING` pays for nothing." },
    { id: "STATE-CARD-05", says: "A card that the issuer has made moves from `PROCESSING` to `ACTIVE`." },
    {
      id: "STATE-CARD-06",
      says: "A card that becomes `ACTIVE` sends `CARD.STATE_CHANGE` with the last four digits and the month and year of expiry.",
    },
    {
      id: "STATE-CARD-07",
      says: "A card that the issuer does not make moves to `CLOSED` with `stateReason` `ISSUER_REJECTED`.",
    },
    { id: "STATE-CARD-08", says: "The issuer's refusal sends `CARD.STATE_CHANGE`." },
    { id: "STATE-CARD-09", says: "Nothing moves a card that the issuer refused." },
    {
      id: "STATE-CARD-10",
      says: "After a refusal another card is issued under another `platformCardId`; the old one is not free.",
    },
    { id: "STATE-CARD-11", says: "An `ACTIVE` card is frozen by a PATCH of its state to `FROZEN`." },
    { id: "STATE-CARD-12", says: "A `FROZEN` card is unfrozen, which makes it `ACTIVE` again." },
    { id: "STATE-CARD-13", says: "An `ACTIVE` card is closed by a PATCH of its state to `CLOSED`." },
    { id: "STATE-CARD-14", says: "Nothing moves a closed card." },
    {
      id: "STATE-CARD-15",
      says: "Cards come into `PENDING_KYC` and leave it.",
      namedOnly: "The specification does not expect the state, and shows no move into it or out of it.",
    },

    { id: "STATE-SESSION-01", says: "A verification that succeeds makes an active session." },
    { id: "STATE-SESSION-02", says: "A session lives for 15 minutes where nothing else is configured." },
    { id: "STATE-SESSION-03", says: "The session's key is taken until `expiresAt` and refused from then on." },
    { id: "STATE-SESSION-04", says: "A signed refresh keeps the session active and gives it another signing key." },
    { id: "STATE-SESSION-05", says: "Only a session that is still active is refreshed." },
    { id: "STATE-SESSION-06", says: "The refresh delivers the new key as another `encryptedSessionSigningKey`." },
    { id: "STATE-SESSION-07", says: "After a refresh the former key signs no more." },
    { id: "STATE-SESSION-08", says: "A signed DELETE revokes an active session and answers 204." },
    { id: "STATE-SESSION-09", says: "A session may be revoked by the signature of any active session of its account." },
    { id: "STATE-SESSION-10", says: "A session may revoke itself." },
    { id: "STATE-SESSION-11", says: "A session is not revoked by the signature of another account's session." },
    {
      id: "STATE-SESSION-12",
      says: "Revoking a session leaves its credential: verified again, it makes a new session.",
    },
    { id: "STATE-SESSION-13", says: "A session whose `expiresAt` is reached is over." },
    { id: "STATE-SESSION-14", says: "After a session's end, verifying the credential again is the way to a new one." },

    { id: "STATE-OTHER-01", says: "Quotes move between their states.", namedOnly: noMoves },
    { id: "STATE-OTHER-02", says: "An external account in `PENDING` waits for its verification and takes no payment." },
    { id: "STATE-OTHER-03", says: "An external account that is `ACTIVE` is verified and can be used." },
    {
      id: "STATE-OTHER-04",
      says: "An external account `UNDER_REVIEW` is looked at once more, and takes no payment meanwhile.",
    },
    { id: "STATE-OTHER-05", says: "An external account that is `INACTIVE` is switched off and cannot be used." },
    { id: "STATE-OTHER-06", says: "A Spark wallet is `ACTIVE` as soon as it is added." },
    { id: "STATE-OTHER-07", says: "A bank account may be verified at once, or wait until its verification is done." },
    { id: "STATE-OTHER-08", says: "External accounts have further moves.", namedOnly: noMoves },
    {
      id: "STATE-OTHER-09",
      says: "Transactions have states.",
      namedOnly: "The specification shows neither the states of a transaction nor its moves.",
    },
  ],
}
