/** The layer of a module of `countersign serve --ports`: the rails, the exchange and the reconciliation of two banks. */
import { type BankFileStore, BankFiles } from "@countersign/adapter-bank-files"
import { dollarBank, euroBank } from "./OurBank.ts"

export const bankPorts = (folder: string, store: BankFileStore["Service"]) =>
  BankFiles.make([dollarBank(`${folder}/dollars`), euroBank(`${folder}/euros`)], store).layer
