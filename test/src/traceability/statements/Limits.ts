/** Statements of the specification about limits. */
import type { Section } from "../Statement.ts"

export const limits: Section = {
  title: "Limits",
  statements: [
    { id: "LIM-01", says: "A session lasts 15 minutes by default." },
    { id: "LIM-02", says: "A quote between instant sides holds between one and five minutes." },
    { id: "LIM-03", says: "`remittanceInformation` has at most 80 characters." },
    { id: "LIM-04", says: "An exchange rate is cached for about five minutes." },
    { id: "LIM-05", says: "The address of a reveal ends within minutes, at its `expiresAt`." },
    {
      id: "LIM-06",
      says: "The sandbox takes OIDC tokens that are at most 60 seconds old, with 5 seconds for clocks that differ.",
    },
    { id: "LIM-07", says: "The sandbox fails a transfer of suffix `005` after about 30 seconds." },
    { id: "LIM-08", says: "The sandbox completes a payment of suffix `003` after about six minutes." },
    { id: "LIM-09", says: "The identifiers of accounts have the forms of their types." },
    { id: "LIM-10", says: "The funding sources of a card share one currency for which there are cards." },
    { id: "LIM-11", says: "The spending limits of an agent's policy apply to its actions." },
    { id: "LIM-12", says: "The approval thresholds of an agent's policy apply to its actions." },
  ],
}
