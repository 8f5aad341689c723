/** Statements of the specification about agents' actions and transactions. */
import type { Section } from "../Statement.ts"

export const actions: Section = {
  title: "Agent actions",
  statements: [
    {
      id: "RES-TX-01",
      says: "Customers, internal accounts, agents and transactions are known by identifiers of their own types.",
    },
    { id: "RES-TX-02", says: "A transaction's `type` says whether it is `INCOMING`, `OUTGOING` or `CARD`." },
    { id: "RES-ACTION-01", says: "Whatever an agent sets going is recorded as an action." },
    { id: "RES-ACTION-02", says: "An action always has an identifier, which the service draws." },
    { id: "RES-ACTION-03", says: "An action always names the agent that submitted it." },
    { id: "RES-ACTION-04", says: "An action always names the customer for whom it is." },
    { id: "RES-ACTION-05", says: "An action always carries the platform's own id of that customer." },
    { id: "RES-ACTION-06", says: "An action is always `PENDING_APPROVAL`, `APPROVED`, `REJECTED` or `FAILED`." },
    { id: "RES-ACTION-07", says: "An action is always an `EXECUTE_QUOTE`, a `TRANSFER_OUT` or a `TRANSFER_IN`." },
    { id: "RES-ACTION-08", says: "The execution of a quote shows the quote." },
    { id: "RES-ACTION-09", says: "A transfer shows no quote." },
    { id: "RES-ACTION-10", says: "A transfer, in or out, shows its details." },
    { id: "RES-ACTION-11", says: "The execution of a quote shows no details of a transfer." },
    { id: "RES-ACTION-12", says: "An action shows its transaction once it is approved and under way." },
    { id: "RES-ACTION-13", says: "An action that waits or was rejected shows no transaction." },
    { id: "RES-ACTION-14", says: "The `type` discriminates the transaction in an action." },
    { id: "RES-ACTION-15", says: "A reason of rejection is shown of a rejected action only." },
    { id: "RES-ACTION-16", says: "`createdAt` is when the agent submitted the action." },
    { id: "RES-ACTION-17", says: "`updatedAt` is when the action last changed." },
    { id: "RES-ACTION-18", says: "An `EXECUTE_QUOTE` executes a quote between two currencies." },
    { id: "RES-ACTION-19", says: "A `TRANSFER_OUT` takes money from an internal account to one outside." },
    { id: "RES-ACTION-20", says: "A `TRANSFER_IN` takes money from an account outside to an internal one." },
    { id: "RES-TRANSFER-01", says: "The details of a transfer are complete: amount, currency and both accounts." },
    { id: "RES-TRANSFER-02", says: "The amount of a transfer counts the smallest unit." },
    { id: "RES-TRANSFER-03", says: "The currency of a transfer goes by its code." },
    { id: "RES-TRANSFER-04", says: "A transfer names the account that pays, inside or outside." },
    { id: "RES-TRANSFER-05", says: "A transfer names the account that is paid, inside or outside." },
  ],
}
