/** The body of an answer, of which a bounded part is read. */
import type { Readable } from "node:stream"

/** How much of a response body is kept, in bytes; the rest is not read. */
export const bodyBytesMax = 64 * 1024

/** Reads a body up to its bound. `onRead` gets the text, and whether it is the whole body. */
export const read = (body: Readable, onRead: (text: string, isWhole: boolean) => void): void => {
  const chunks: Array<Buffer> = []
  let size = 0
  // A character that the bound divides is left out.
  const text = () => new TextDecoder().decode(Buffer.concat(chunks), { stream: true })
  body.on("data", (chunk: Buffer) => {
    chunks.push(chunk.subarray(0, Math.max(0, bodyBytesMax - size)))
    size += chunk.length
    if (size >= bodyBytesMax) onRead(text(), false)
  })
  body.on("end", () => onRead(text(), true))
}
