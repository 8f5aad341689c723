/** Statements of the endpoints of cards (4.4). */
import type { Section } from "../Statement.ts"

export const cardEndpoints: Section = {
  title: "Endpoints: cards",
  statements: [
    { id: "EP-CARD-01", says: "`POST /cards` answers the card in `PROCESSING`." },
    { id: "EP-CARD-02", says: "`cardholderId` is required." },
    { id: "EP-CARD-03", says: "The cardholder is a customer whose `kycStatus` is `APPROVED`; any other is refused." },
    { id: "EP-CARD-04", says: "A `platformCardId` that is given is the card's." },
    { id: "EP-CARD-05", says: "Without a `platformCardId` the service makes one up." },
    { id: "EP-CARD-06", says: "`form` is required." },
    { id: "EP-CARD-07", says: "`VIRTUAL` is the one form that is taken." },
    { id: "EP-CARD-08", says: "`fundingSources` is required, and a card keeps their order." },
    { id: "EP-CARD-09", says: "Each funding source has to be the cardholder's own." },
    { id: "EP-CARD-10", says: "The funding sources have to share one currency." },
    { id: "EP-CARD-11", says: "The currency of the funding sources has to be one that cards may have." },
    { id: "EP-CARD-12", says: "`GET /cards` answers a list of cards in pages." },
    { id: "EP-CARD-13", says: "The list of cards is filtered by `cardholderId`." },
    { id: "EP-CARD-14", says: "The list of cards is filtered by `platformCardId`." },
    { id: "EP-CARD-15", says: "The list of cards is filtered by state." },
    { id: "EP-CARD-16", says: "`limit` bounds a page of the list of cards." },
    { id: "EP-CARD-17", says: "`PATCH /cards/{id}` takes the states `FROZEN` and `CLOSED` and answers the card." },
    {
      id: "EP-CARD-18",
      says: "`PATCH /cards/{id}` takes funding sources, which take the place of those that were bound.",
    },
    { id: "EP-CARD-19", says: "Replacing the funding sources is done by a signed retry." },
    { id: "EP-CARD-20", says: "`POST /cards/{id}/reveal` takes no body and answers `panEmbedUrl` and `expiresAt`." },
    { id: "EP-CARD-21", says: "No other answer and no webhook has a reveal's address." },
    { id: "EP-CARD-22", says: "Each reveal answers a fresh address." },
    { id: "EP-CARD-23", says: "The address of a reveal is neither stored nor logged." },
    { id: "EP-CARD-24", says: "The answer with the address of a reveal is not to be cached." },
    { id: "EP-CARD-25", says: "Each reveal of a card is on record in the audit." },
  ],
}
