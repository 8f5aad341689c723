/** Statements of the specification about beneficiaries and discovered banks. */
import type { Section } from "../Statement.ts"

export const beneficiaries: Section = {
  title: "Beneficiaries and discovery entries",
  statements: [
    { id: "RES-BENE-01", says: "A beneficiary is an `INDIVIDUAL` or a `BUSINESS`." },
    { id: "RES-BENE-02", says: "An individual has a full name." },
    { id: "RES-BENE-03", says: "`birthDate` is a day, written `YYYY-MM-DD`." },
    { id: "RES-BENE-04", says: "`nationality` is the code of a country." },
    { id: "RES-BENE-05", says: "A document is named by its type and its number." },
    {
      id: "RES-BENE-06",
      says: "A business is described in `businessInfo` by its legal name, tax id and registration number.",
    },
    { id: "RES-BENE-07", says: "An address has a first line, a city, a state, a postal code and a country." },
    { id: "RES-BENE-08", says: "The address of a business stands beside `businessInfo`." },
    { id: "RES-BENE-09", says: "The state of an address may be left out." },
    { id: "RES-BENE-10", says: "An individual in the United States has at least its type and full name." },
    {
      id: "RES-BENE-11",
      says: "The address of an individual in the United States has a line, a city, a postal code and a country.",
    },
    {
      id: "RES-BENE-12",
      says: "An individual in Mexico, Brazil or the Philippines needs its type and full name, and no address.",
    },
    { id: "RES-BENE-13", says: "An individual paid in GBP or EUR needs its type, full name and address." },
    {
      id: "RES-BENE-14",
      says: "The address of an individual paid in GBP or EUR has a line, a city, a postal code and a country.",
    },
    { id: "RES-BENE-15", says: "A business paid in USD or MXN needs a legal name and an address." },
    { id: "RES-BENE-16", says: "A business paid in EUR needs a legal name, an address and a registration number." },
    {
      id: "RES-BENE-17",
      says: "A business paid in GBP, INR, BRL, DKK, PHP, HKD, IDR, MYR, SGD, THB, VND or AED needs a legal name and an address.",
    },
    {
      id: "RES-BENE-18",
      says: "A business paid in NGN, ZAR, KES, TZS, RWF, ZMW, UGX, BWP, MWK, XOF or XAF needs a legal name, an address, a registration number and a tax id.",
    },
    {
      id: "RES-BENE-19",
      says: "A business that pays a business in one of the twelve currencies of that list needs a registration number of its own.",
    },
    { id: "RES-BENE-20", says: "All other fields may be given or left out." },
    { id: "RES-DISC-01", says: "`bankName` of a discovered bank is, letter by letter, what an account is added with." },
    { id: "RES-DISC-02", says: "A discovered bank has a label for people." },
    { id: "RES-DISC-03", says: "A discovered bank has the code of its country." },
    { id: "RES-DISC-04", says: "A discovered bank has the code of its currency." },
  ],
}
