/** Test vectors of `test/vectors`. */
import { readFileSync } from "node:fs"

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), "utf8"))

/** One case of a Wycheproof set. Its members depend on the set. */
export interface WycheproofCase {
  readonly tcId: number
  readonly comment: string
  readonly result: "valid" | "invalid" | "acceptable"
  readonly [member: string]: unknown
}

interface WycheproofGroup {
  readonly tests: ReadonlyArray<WycheproofCase>
  readonly [member: string]: unknown
}

export const wycheproof = (name: string) =>
  read(`wycheproof_${name}_test`) as {
    readonly numberOfTests: number
    readonly testGroups: ReadonlyArray<WycheproofGroup>
  }

export interface HpkeVector {
  readonly mode: 0 | 1 | 2 | 3
  readonly info: string
  readonly ikmE: string
  readonly ikmR: string
  readonly ikmS?: string
  readonly skEm: string
  readonly skRm: string
  readonly skSm?: string
  readonly pkEm: string
  readonly pkRm: string
  readonly pkSm?: string
  readonly psk?: string
  readonly psk_id?: string
  readonly enc: string
  readonly encryptions: ReadonlyArray<{ readonly aad: string; readonly ct: string; readonly pt: string }>
  readonly exports: ReadonlyArray<{
    readonly exporter_context: string
    readonly L: number
    readonly exported_value: string
  }>
}

export const rfc9180 = () => read("rfc9180_p256_hkdfsha256_aes256gcm") as ReadonlyArray<HpkeVector>

export const base58check = () =>
  read("base58check_bs58check") as {
    readonly valid: ReadonlyArray<{ readonly string: string; readonly payload: string }>
    readonly invalid: ReadonlyArray<{ readonly string: string }>
  }

/** Decodes a hexadecimal member. */
export const bytes = (value: unknown): Uint8Array => new Uint8Array(Buffer.from(String(value), "hex"))

export const hex = (value: Uint8Array): string => Buffer.from(value).toString("hex")
