/** The UMA address of a customer as an account. Source: wire contract 2.2. */
import type { AccountInfo } from "./ExternalAccount.ts"

/** As a rail is told of an address that is paid. */
export const umaAccountInfo = (umaAddress: string): AccountInfo => ({ accountType: "UMA_ADDRESS", umaAddress })

/** The address that a rail is to pay, where it is one. */
export const umaAddressOf = ({ accountType, umaAddress }: AccountInfo): string | undefined =>
  accountType === "UMA_ADDRESS" && typeof umaAddress === "string" ? umaAddress : undefined
