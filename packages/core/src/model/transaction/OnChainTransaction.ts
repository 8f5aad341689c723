/**
 * The transactions on chains that the sides of a transfer show.
 * Source: wire contract areas 2.8; D-425.
 */
import { Schema } from "effect"
import { CryptoNetwork } from "../../foundation/money/CryptoNetwork.ts"
import { networkOfWallet } from "../account/PaymentInstructionTypes.ts"
import type { Transaction } from "./Transaction.ts"

export const OnChainTransaction = Schema.Struct({ transactionHash: Schema.String, network: CryptoNetwork }).annotate({
  identifier: "OnChainTransaction",
})

/** A side's transaction on its chain, once the transfer has settled. Lightning has no chain. */
export const onChainOf = (
  { settledAt }: Transaction,
  transactionHash: string | undefined,
  network: CryptoNetwork | undefined,
): { readonly onChainTransaction?: typeof OnChainTransaction.Type } =>
  network === undefined || network === "LIGHTNING" || transactionHash === undefined || settledAt === undefined
    ? {}
    : { onChainTransaction: { transactionHash, network } }

/** The transaction on the chain of the external account that was paid or pulled. */
export const walletOnChainOf = (data: Transaction) =>
  onChainOf(data, data.transactionHash, data.externalAccount && networkOfWallet(data.externalAccount.accountInfo))
