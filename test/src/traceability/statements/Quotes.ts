/** Statements of the specification about quotes, currencies and payment instructions. */
import type { Section } from "../Statement.ts"

export const quotes: Section = {
  title: "Quotes, currencies and payment instructions",
  statements: [
    { id: "RES-QUOTE-01", says: "A quote always has an identifier of its type." },
    {
      id: "RES-QUOTE-02",
      says: "A quote is `PENDING`, `PENDING_AUTHORIZATION`, `PROCESSING`, `COMPLETED`, `FAILED` or `EXPIRED`.",
    },
    {
      id: "RES-QUOTE-03",
      says: "`PENDING_AUTHORIZATION` is met only by customers in a region that asks for strong authentication.",
    },
    { id: "RES-QUOTE-04", says: "A quote that waits for its authorization carries the challenge." },
    { id: "RES-QUOTE-05", says: "A payer receives payment instructions only after the challenge is satisfied." },
    { id: "RES-QUOTE-06", says: "A quote always says when it was made." },
    {
      id: "RES-QUOTE-07",
      says: "`expiresAt` is a moment in UTC, after which the rate is not held and the quote is not executed.",
    },
    {
      id: "RES-QUOTE-08",
      says: "A quote always has a source, discriminated by `sourceType`: `ACCOUNT` or `REALTIME_FUNDING`.",
    },
    {
      id: "RES-QUOTE-09",
      says: "A quote always has a destination, discriminated by `destinationType`: `ACCOUNT` or `UMA_ADDRESS`.",
    },
    { id: "RES-QUOTE-10", says: "A quote always shows both of its currencies as records." },
    { id: "RES-QUOTE-11", says: "What is sent in all is above zero, in the smallest unit of the sending currency." },
    {
      id: "RES-QUOTE-12",
      says: "What is received in all is above zero, in the smallest unit of the receiving currency.",
    },
    {
      id: "RES-QUOTE-13",
      says: "The rate tells how many units of the sending currency one unit of the receiving currency costs.",
    },
    { id: "RES-QUOTE-14", says: "The rate is above zero." },
    { id: "RES-QUOTE-15", says: "The fees are zero or more, in the smallest unit of the sending currency." },
    { id: "RES-QUOTE-16", says: "The fees of one quote do not change; the next quote's may differ." },
    { id: "RES-QUOTE-17", says: "A quote that an internal account pays tells nobody how to pay it." },
    { id: "RES-QUOTE-18", says: "A quote always names the transaction that was made of it." },
    { id: "RES-QUOTE-19", says: "A quote may have a text of at most 80 characters." },
    {
      id: "RES-QUOTE-20",
      says: "The text travels to the recipient: over ACH in the addenda, over FedNow and RTP as remittance information, over a wire as OBI.",
    },
    {
      id: "RES-QUOTE-21",
      says: "What is known of the counterparty is shown where the platform's configuration asks for it.",
    },
    { id: "RES-QUOTE-22", says: "A quote tells the details of its rate and fees." },
    {
      id: "RES-QUOTE-23",
      says: "The challenge is shown while the quote is `PENDING_AUTHORIZATION`, and at no other time.",
    },
    { id: "RES-QUOTE-24", says: "No challenge is shown to customers outside of the regions that ask for it." },
    { id: "RES-CURRENCY-01", says: "A currency record has the ISO 4217 code, or the ticker of a crypto asset." },
    { id: "RES-CURRENCY-02", says: "A currency record has the full name." },
    { id: "RES-CURRENCY-03", says: "A currency record has a symbol." },
    { id: "RES-CURRENCY-04", says: "A currency record has the number of decimals, zero or more." },
    { id: "RES-PAYIN-01", says: "An instruction always has an account or wallet, discriminated by `accountType`." },
    { id: "RES-PAYIN-02", says: "An instruction may have notes for people." },
    { id: "RES-PAYIN-03", says: "An instruction may say whether the account is the platform's or a customer's." },
    { id: "RES-PAYIN-04", says: "There are fiat instructions of all 38 listed codes, each as `<CCY>_ACCOUNT`." },
    { id: "RES-PAYIN-05", says: "There is an instruction for `SWIFT_ACCOUNT`." },
    {
      id: "RES-PAYIN-06",
      says: "There are instructions for Spark, Lightning, Solana, Tron, Polygon, Base, Ethereum and embedded wallets.",
    },
    { id: "RES-PAYIN-07", says: "A Spark instruction tells the asset and the address." },
    { id: "RES-PAYIN-08", says: "A Spark instruction may tell an invoice." },
    {
      id: "RES-PAYIN-09",
      says: "A USD instruction tells the account's number, routing number, bank, reference and rails.",
    },
    {
      id: "RES-PAYIN-10",
      says: "The instruction of a quote that an embedded wallet pays tells what has to be signed.",
    },
  ],
}
