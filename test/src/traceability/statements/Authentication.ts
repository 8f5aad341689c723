/** Statements of the specification about who is let in. */
import type { Section } from "../Statement.ts"

export const authentication: Section = {
  title: "Authentication",
  statements: [
    { id: "AUTH-01", says: "A platform is let in by HTTP Basic, with its client id and secret." },
    { id: "AUTH-02", says: "HTTP Basic is what every operation of the platform asks for." },
    {
      id: "AUTH-03",
      says: "An agent is let in by its access token, at the operations under `/agents/me` and nowhere else.",
    },
    { id: "AUTH-04", says: "An agent gets its token by redeeming a device code." },
    { id: "AUTH-05", says: "An agent's requests reach nothing of other customers than its own." },
    { id: "AUTH-06", says: "An agent's requests are held against its policy." },
    {
      id: "AUTH-07",
      says: "Agents are connected in limited availability.",
      namedOnly: "It says who may use the service, and nothing that the service does.",
    },
  ],
}
