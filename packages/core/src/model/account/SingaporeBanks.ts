/**
 * The table of banks of Singapore by the first six characters of their BIC, from which an omitted bank name is derived.
 * Source: wire contract 2.3 (SGD_ACCOUNT); D-043.
 */
import * as Table from "../../foundation/kit/Table.ts"

const SingaporeBanks = Table.make("SingaporeBanks", {
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

/** Returns the name of the bank with the BIC, if the table has it. */
export const singaporeBank = (bic: unknown): string | undefined =>
  typeof bic === "string" ? SingaporeBanks.find(bic.slice(0, 6)) : undefined
