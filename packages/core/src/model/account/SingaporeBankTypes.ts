/**
 * The table of banks of Singapore by the first six characters of their BIC: an account's bank name may be left out there.
 * Source: wire contract 2.3 (SGD_ACCOUNT); D-043.
 */
import * as Table from "../../foundation/kit/Table.ts"

const SingaporeBankTypes = Table.make("SingaporeBankTypes", {
  ANZBSG: "ANZ Bank",
  BKCHSG: "Bank of China",
  CIBBSG: "CIMB Bank",
  CITISG: "Citibank Singapore",
  DBSSSG: "DBS Bank",
  HSBCSG: "HSBC Bank (Singapore)",
  ICBKSG: "Industrial and Commercial Bank of China",
  MBBESG: "Maybank Singapore",
  OCBCSG: "OCBC Bank",
  RHBBSG: "RHB Bank",
  SBINSG: "State Bank of India",
  SCBLSG: "Standard Chartered Bank (Singapore)",
  TRBUSG: "Trust Bank Singapore",
  UOVBSG: "United Overseas Bank",
} satisfies { readonly [bic: string]: string })

/** The name of the bank of a BIC, where it is known. */
export const singaporeBank = (bic: unknown): string | undefined =>
  typeof bic === "string" ? SingaporeBankTypes.find(bic.slice(0, 6)) : undefined
