/** Statements of the specification's introduction, of what the service does, and of its general conventions. */
import type { Section } from "../Statement.ts"

const onlyNamed = "The specification names the area and shows no operation, record or state of it."

export const general: Section = {
  title: "What the service does, and general conventions",
  statements: [
    { id: "GEN-01", says: "Every path stands under the base address." },
    {
      id: "GEN-02",
      says: "Money moves between accounts held here and accounts outside, of banks, mobile money and crypto.",
    },
    { id: "GEN-03", says: "Quotes carry money from one currency into another." },
    { id: "GEN-04", says: "Money can be sent to a UMA address." },
    { id: "GEN-05", says: "An agent acts for one customer only." },
    { id: "GEN-06", says: "An agent's actions are executions of quotes and transfers." },
    {
      id: "GEN-07",
      says: "The agent's policy decides whether an action executes by itself or waits for the platform's approval.",
    },
    { id: "GEN-08", says: "The agent layer is optional: without any agent the platform moves money as before." },
    { id: "CONV-01", says: "Bodies are JSON in both directions, with `application/json` as content type." },
    { id: "CONV-02", says: "Amounts are integers." },
    { id: "CONV-03", says: "Amounts count the smallest unit of their currency, whatever its decimals." },
    { id: "CONV-04", says: "Timestamps are ISO 8601 texts in UTC." },
    { id: "CONV-05", says: "An identifier is its type, a colon and a UUID." },
    {
      id: "CONV-06",
      says: "There are identifiers of agent actions, agents, customers, quotes, transactions, internal and external accounts, cards, sessions, credentials and requests.",
    },
    { id: "CONV-07", says: "Fiat currencies go by their ISO 4217 code." },
    { id: "CONV-08", says: "Crypto assets without such a code go by a ticker, such as BTC and USDC." },
    {
      id: "GEN-09",
      says: "Beside what is specified in detail there are areas of configuration, customers, contacts, strong authentication, checks, internal accounts, transfers, transactions, webhooks, API tokens and exchange rates.",
    },
    { id: "GEN-10", says: "Exchange rates include the fees." },
    { id: "GEN-11", says: "There is an area of documents.", namedOnly: onlyNamed },
    { id: "GEN-12", says: "There is an area of invitations.", namedOnly: onlyNamed },
    { id: "GEN-13", says: "There is an area of stablecoins.", namedOnly: onlyNamed },
  ],
}
