/** The public names for clients, without server code: a browser may import them. Source: D-167, D-190. */
export type { KeyPair, PublicKey } from "@countersign/core/crypto"
export { CallRefused } from "./CallRefused.ts"
export * from "./Client.ts"
export * from "./PasskeyAnswers.ts"
export * from "./SignedClient.ts"
export * from "./WalletCrypto.ts"
