/** Our company at a bank that takes NACHA files. Source: D-530. */

export interface NachaCompany {
  /** At most 16 characters: statements of receivers show it. */
  readonly companyName: string
  /** 10 characters, as the bank gave them; often `1` and the tax number. */
  readonly companyId: string
  /** The bank's routing number, nine digits. */
  readonly odfi: string
  /** The bank's name, at most 23 characters. */
  readonly bankName: string
  /** What receivers read as the purpose, at most 10 characters. Default: `PAYMENT`. */
  readonly description?: string
  /** The immediate origin, 10 characters. Default: `companyId`. */
  readonly origin?: string
  /** The business days after the cut-off on which an order counts as executed. Default: 1 for credits and 3 for debits. */
  readonly settlementDays?: { readonly push: number; readonly pull: number }
  /** Whether debits are allowed. Default: no. */
  readonly hasDebits?: boolean
}
