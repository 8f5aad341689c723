/** Statements of the endpoints of external accounts and of the discovery of banks (4.3). */
import type { Section } from "../Statement.ts"

export const externalAccountEndpoints: Section = {
  title: "Endpoints: external accounts and discovery",
  statements: [
    { id: "EP-EXT-01", says: "`POST /customers/external-accounts` adds an account and answers the record." },
    { id: "EP-EXT-02", says: "The body that adds an account has a `currency` as a string." },
    { id: "EP-EXT-03", says: "The body that adds an account may have `platformAccountId`, which the record keeps." },
    {
      id: "EP-EXT-04",
      says: "The body that adds an account has `accountInfo`, of the form that its `accountType` has.",
    },
    {
      id: "EP-EXT-05",
      says: "The body that adds an account may name a customer by `customerId`, whose account it then is.",
    },
    { id: "EP-EXT-06", says: "An account is added without a `customerId` as well." },
    {
      id: "EP-EXT-07",
      says: "`GET /customers/external-accounts` lists the accounts of the customer that the query names.",
    },
    {
      id: "EP-EXT-08",
      says: "The list of customer external accounts is narrowed by a `currency`, where one is given.",
    },
    { id: "EP-EXT-09", says: "`GET /platform/external-accounts` lists the platform's own accounts." },
    { id: "EP-EXT-10", says: "`GET /discoveries` answers an object whose data are discovery entries." },
    { id: "EP-EXT-11", says: "Discovery is asked by country and by currency." },
    { id: "EP-EXT-12", says: "The currency of a new account is one that an account of this type holds." },
    { id: "EP-EXT-13", says: "`bankName` in the Philippines is a discovered name, letter by letter." },
    { id: "EP-EXT-14", says: "`bankName` in Nigeria is a discovered name, letter by letter." },
    { id: "EP-EXT-15", says: "`bankName` in South Africa is a discovered name, letter by letter." },
    { id: "EP-EXT-16", says: "The beneficiary tables decide which fields of a beneficiary a new account needs." },
    { id: "EP-EXT-17", says: "The constraints of the account's type decide about its other fields." },
  ],
}
