/** Statements of the specification about versions. */
import type { Section } from "../Statement.ts"

export const versioning: Section = {
  title: "Versioning",
  statements: [
    { id: "VER-01", says: "The base address ends in a date, `2025-10-13`." },
    { id: "VER-02", says: "The description of the interface has that date as its version." },
    { id: "VER-03", says: "Requests are made to the address with the date, and to no other." },
    { id: "VER-04", says: "The sandbox's older literals for signatures of wallets and passkeys are still taken." },
    { id: "VER-05", says: "The sandbox's older literal for an OIDC token is not taken any more." },
    {
      id: "VER-06",
      says: "The agent layer is experimental.",
      namedOnly: "It says how the text may change, and nothing that the service does.",
    },
  ],
}
