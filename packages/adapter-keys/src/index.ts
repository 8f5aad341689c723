/** The public names of the sources of secrets. */

export { createKey, isKeySource, walletSecretFrom, webhookKeyFrom } from "./KeySource.ts"
export { KeySourceError } from "./KeySourceError.ts"
