/** The public names of the adapter for exchange rates. */
export { type FileRateOptions, FileRates } from "./FileRates.ts"
export { type HttpRateOptions, HttpRates } from "./HttpRates.ts"
export type { JsonMapping } from "./JsonTable.ts"
export type { RateOptions } from "./RateOptions.ts"
export { RatesUnusable } from "./Rates.ts"
export type { Quotation } from "./RateTable.ts"
export type { TableFormat } from "./TableFormat.ts"
