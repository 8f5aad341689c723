/**
 * Decodes UTF-8 with Effect's own functions, because the core is compiled without a platform's types.
 * Source: wire contract 4.9.
 */
import { Result } from "effect"
import { Hex } from "effect/encoding"

/** Bytes that are not UTF-8 become the replacement character, as `TextDecoder` does by default. */
export const textOf = (bytes: Uint8Array): string => Result.getOrElse(Hex.decodeString(Hex.encode(bytes)), () => "")
