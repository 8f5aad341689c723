/**
 * A UMA address as account details.
 * Source: wire contract 2.2.
 */
import type { AccountInfo } from "./ExternalAccount.ts"

/** Returns the account details by which a rail pays a UMA address. */
export const umaAccountInfo = (umaAddress: string): AccountInfo => ({ accountType: "UMA_ADDRESS", umaAddress })

/** Returns the UMA address of account details, or `undefined` for any other account type. */
export const umaAddressOf = ({ accountType, umaAddress }: AccountInfo): string | undefined =>
  accountType === "UMA_ADDRESS" && typeof umaAddress === "string" ? umaAddress : undefined
