/** The public names of the bank files adapter. */

export type { LedgerFact } from "@countersign/core/ports"
export { type Bank, type BankOptions, isoBank, nachaBank } from "./Bank.ts"
export { type BankCycle, BankFiles } from "./BankFiles.ts"
export type { BankCalendar } from "./calendar/BankCalendar.ts"
export { federalReserveHolidays, targetHolidays } from "./calendar/Holidays.ts"
export { type BankFolder, bankFolder, FolderUnavailable } from "./folder/BankFolder.ts"
export type { IsoAccount } from "./iso20022/IsoOptions.ts"
export { isoReasons } from "./iso20022/ReasonCodes.ts"
export type { NachaCompany } from "./nacha/NachaOptions.ts"
export { changeCodes, returnCodes } from "./nacha/ReturnCodes.ts"
export type { BankBatch, BankLine, ReceivedFile } from "./orders/BankFile.ts"
export { BankFileStore, BankFilesUnavailable, type BankRows } from "./orders/BankFileStore.ts"
export type { BankFormat } from "./orders/BankFormat.ts"
export type { BankOrder, Mandate } from "./orders/BankOrder.ts"
export type { ReconcileOptions } from "./ReconcileBank.ts"
export {
  lineProblems,
  orderProblems,
  type Reconciliation,
  type ReconciliationInput,
} from "./reconciliation/Finding.ts"
export { reconcile } from "./reconciliation/Reconcile.ts"
export { reconciliationTable } from "./reconciliation/ReconciliationTable.ts"
export { MemoryBankFileStore } from "./store/MemoryBankFileStore.ts"
export { type BankFilePool, PostgresBankFileStore } from "./store/PostgresBankFileStore.ts"
export type { TakenFiles } from "./TakeFiles.ts"
