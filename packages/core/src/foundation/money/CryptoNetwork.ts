/** The networks that transfer crypto assets. */
import { Schema } from "effect"

/** Over which network crypto assets are sent. Source: wire contract A. */
export const CryptoNetwork = Schema.Literals([
  "BITCOIN",
  "ETHEREUM",
  "SOLANA",
  "BASE",
  "POLYGON",
  "TRON",
  "PLASMA",
  "SPARK",
  "LIGHTNING",
]).annotate({ identifier: "CryptoNetwork" })

export type CryptoNetwork = typeof CryptoNetwork.Type
