/** The public names for clients, in a browser and on a server. Source: D-167. */
export type { KeyPair, PublicKey } from "@countersign/core/crypto"
export * from "./PasskeyAnswers.ts"
export * from "./SignedClient.ts"
export * from "./WalletCrypto.ts"
