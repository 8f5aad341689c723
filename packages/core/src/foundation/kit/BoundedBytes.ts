/** Reads the body of a request or an answer whose sender may not know when to stop. Source: D-527, D-528, D-529. */

/** Returns all bytes, or `undefined` as soon as they are more than `bytesMax`; the rest is not read. */
export const boundedBytes = async (
  body: AsyncIterable<Uint8Array> | null,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const pieces: Array<Uint8Array> = []
  let size = 0
  for await (const piece of body ?? []) {
    size += piece.byteLength
    if (size > bytesMax) return undefined
    pieces.push(piece)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}
