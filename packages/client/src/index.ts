/**
 * The public names for clients, without server code: a browser may import them.
 * Source: D-167, D-190.
 */
export type { KeyPair, PublicKey } from "@countersign/core/crypto"
export { ApiError } from "./call/ApiError.ts"
export * from "./call/Client.ts"
export * from "./signed/PasskeyAnswers.ts"
export * from "./signed/SignedClient.ts"
export * from "./signed/WalletCrypto.ts"
