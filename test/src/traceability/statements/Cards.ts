/** Statements of the specification about cards. */
import type { Section } from "../Statement.ts"

export const cards: Section = {
  title: "Cards",
  statements: [
    { id: "RES-CARD-01", says: "A card has an identifier of its type." },
    { id: "RES-CARD-02", says: "`cardholderId` names the customer whose card it is." },
    { id: "RES-CARD-03", says: "`platformCardId` is the platform's own name for the card." },
    { id: "RES-CARD-04", says: "A card is `VIRTUAL`." },
    { id: "RES-CARD-05", says: "A `PHYSICAL` card is refused, as it is not there yet." },
    { id: "RES-CARD-06", says: "Funding sources are internal accounts in an order." },
    { id: "RES-CARD-07", says: "The first funding source is the first to be tried for a purchase." },
    { id: "RES-CARD-08", says: "The card's currency follows from its funding sources when it is issued." },
    { id: "RES-CARD-09", says: "All funding sources of a card are of one currency." },
    {
      id: "RES-CARD-10",
      says: "A card is `PROCESSING`, `ACTIVE`, `FROZEN`, `CLOSED` or, by its form alone, `PENDING_KYC`.",
    },
    { id: "RES-CARD-11", says: "A card may say why it is in its state, such as `ISSUER_REJECTED`." },
    {
      id: "RES-CARD-12",
      says: "The last four digits, the month and the year of expiry are shown from the moment the card is active.",
    },
    { id: "RES-CARD-13", says: "No answer but the one to a reveal carries the address at which a card is shown." },
    { id: "RES-CARD-14", says: "No webhook carries the address at which a card is shown." },
    {
      id: "RES-CARD-15",
      says: "A reveal answers a signed address of a frame in which the cardholder sees number, security code and expiry.",
    },
    { id: "RES-CARD-16", says: "A reveal answers until when its address serves." },
  ],
}
