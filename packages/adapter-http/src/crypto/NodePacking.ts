/**
 * Compresses the state of a saved world with gzip, in Base64.
 * Source: D-471.
 */
import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import { WorldPacking } from "@countersign/core/ports"
import { Effect, Layer } from "effect"

const zip = promisify(gzip)
const unzip = promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(gunzip)

export const layer = Layer.succeed(WorldPacking, {
  pack: (state) => Effect.promise(async () => (await zip(Buffer.from(state))).toString("base64")),
  unpack: (text, maxOutputLength) =>
    Effect.promise(async () => {
      try {
        const bytes = await unzip(Buffer.from(text, "base64"), { maxOutputLength })
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
      } catch {
        return undefined
      }
    }),
})
