/**
 * A body as a sandbox keeps it: JSON with masks, cut.
 * Source: D-464.
 */
import type { SecretMask } from "@countersign/core"
import type { RecordedBody } from "@countersign/core/models"
import { Result } from "effect"
import type { KnownSecrets } from "./KnownSecrets.ts"
import type { MaskedMembers } from "./MaskedMembers.ts"

/** Characters of a kept body. */
const textMax = 16_384
/** Characters of a body that is read at all. */
const readMax = 262_144
const maskedMax = 100
const utf8 = { encode: new TextEncoder(), decode: new TextDecoder() }
const pathMax = 200

/** The beginning of a text, as a copy: a slice of the engine keeps the whole text in memory. */
const beginningOf = (text: string): string =>
  text.length <= textMax ? text : utf8.decode.decode(utf8.encode.encode(text.slice(0, textMax)))

/** Returns the body to keep, whose text is masked further by `textOf` when all secrets of the request are known. */
export const keptBody = (
  json: string,
  bytes: number,
  mask: SecretMask.Mask,
  secrets: KnownSecrets,
  members: MaskedMembers,
) => {
  const parsed = json.length > readMax ? undefined : Result.try((): unknown => JSON.parse(json))
  if (parsed === undefined || Result.isFailure(parsed)) {
    return (): RecordedBody => ({ bytes, isCut: false, masked: [] })
  }
  const masked: Array<string> = []
  const value = mask(parsed.success, (path, secret) => {
    secrets.add(secret)
    members.add(`body.${path}`, secret)
    if (masked.length < maskedMax) masked.push(path.slice(0, pathMax))
  })
  return (): RecordedBody => {
    const shown = JSON.stringify(value)
    const text = secrets.inJson(shown)
    if (text !== shown) members.add("body")
    return { bytes, text: beginningOf(text), isCut: text.length > textMax, masked }
  }
}
