/** A source of secrets cannot be used. The message says why, and contains neither a credential nor a secret. */
export class KeySourceError extends Error {
  override readonly name = "KeySourceError"
}
