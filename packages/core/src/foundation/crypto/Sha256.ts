/**
 * SHA-256 of texts. A server computes it with Node's crypto, which takes a quarter of the time; other runtimes with the portable one.
 * Source: D-496.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Hex } from "effect/encoding"

type Hash = (algorithm: "sha256", text: string, encoding: "hex") => string

/** The global `process` of a runtime with Node's modules, which it shows without an import that browsers could not resolve. */
interface Process {
  readonly getBuiltinModule?: (name: "node:crypto") => { readonly hash?: Hash } | undefined
}

/** SHA-256 of a text, hex, in any runtime. */
export const portableHex = (text: string): string => Hex.encode(sha256(utf8ToBytes(text)))

/** The SHA-256 of texts in a runtime with this `process`. */
export const hexOn = (host: Process | undefined): ((text: string) => string) => {
  const hash = host?.getBuiltinModule?.("node:crypto")?.hash
  return hash === undefined ? portableHex : (text) => hash("sha256", text, "hex")
}

/** SHA-256 of a text, hex. */
export const hex: (text: string) => string = hexOn(Reflect.get(globalThis, "process"))
