/**
 * Bytes as text. The core is compiled for no platform, so it decodes by what Effect brings.
 * Source: wire contract 4.9.
 */
import { Result } from "effect"
import { Hex } from "effect/encoding"

/** What is not UTF-8 becomes the replacement character, as everywhere on the platform. */
export const textOf = (bytes: Uint8Array): string => Result.getOrElse(Hex.decodeString(Hex.encode(bytes)), () => "")
