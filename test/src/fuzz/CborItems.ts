/**
 * CBOR as items that can be changed and written again, also in forms that encoders do not write; and a decoder that is independent of the
 * library's.
 * Source: RFC 8949, 3 (items) and 4.2 (shortest forms).
 */

/** An item. Maps have keys and values in turn. */
export interface Item {
  readonly major: number
  /** The number, the length, the count, the tag or the simple value. */
  readonly argument: bigint
  /** How many bytes the argument has beyond the first one: 0, 1, 2, 4 or 8. */
  readonly width: number
  readonly bytes?: Uint8Array
  readonly items?: ReadonlyArray<Item>
}

const depthMax = 64
const widths = new Map([
  [24, 1],
  [25, 2],
  [26, 4],
  [27, 8],
])

const shortestWidth = (argument: bigint): number =>
  argument < 24n ? 0 : argument < 1n << 8n ? 1 : argument < 1n << 16n ? 2 : argument < 1n << 32n ? 4 : 8

export const itemOf = (major: number, argument: bigint, more: Pick<Item, "bytes" | "items"> = {}): Item => ({
  major,
  argument,
  width: shortestWidth(argument),
  ...more,
})

const argumentAt = (bytes: Uint8Array, at: number, width: number, inline: number): bigint =>
  width === 0 ? BigInt(inline) : BigInt(`0x${Buffer.from(bytes.subarray(at + 1, at + 1 + width)).toString("hex")}`)

interface Read {
  readonly item: Item
  readonly end: number
}

/** Reads the item at an offset; `undefined` if it is cut off, of indefinite length, or nested too deep. */
export const readItem = (bytes: Uint8Array, at = 0, levels = depthMax): Read | undefined => {
  const first = bytes[at]
  if (first === undefined || levels < 0) return undefined
  const [major, info] = [first >> 5, first & 0x1f]
  const width = info < 24 ? 0 : widths.get(info)
  if (width === undefined || at + 1 + width > bytes.length) return undefined
  const head = { major, width, argument: argumentAt(bytes, at, width, info) }
  const begin = at + 1 + width
  if (major === 2 || major === 3) {
    const end = begin + Number(head.argument)
    return end > bytes.length ? undefined : { item: { ...head, bytes: bytes.slice(begin, end) }, end }
  }
  if (major < 4 || major === 7) return { item: head, end: begin }
  const count = major === 6 ? 1 : Number(head.argument) * (major === 5 ? 2 : 1)
  if (count > bytes.length) return undefined
  const items: Array<Item> = []
  let end = begin
  for (let left = count; left > 0; left -= 1) {
    const read = readItem(bytes, end, levels - 1)
    if (read === undefined) return undefined
    items.push(read.item)
    end = read.end
  }
  return { item: { ...head, items }, end }
}

/** Returns the item that the bytes are, and nothing but it. */
export const wholeItem = (bytes: Uint8Array): Item | undefined => {
  const read = readItem(bytes)
  return read?.end === bytes.length ? read.item : undefined
}

export const written = ({ argument, bytes, items = [], major, width }: Item): Uint8Array => {
  const size = Math.max(width, shortestWidth(argument))
  const info = size === 0 ? Number(argument) : 24 + Math.log2(size)
  const tail = size === 0 ? "" : argument.toString(16).padStart(size * 2, "0")
  const head = [Buffer.of((major << 5) | info), Buffer.from(tail, "hex")]
  return Buffer.concat([...head, bytes ?? new Uint8Array(0), ...items.map(written)])
}

/** Whether every argument has its shortest form, and no map a key twice. */
export const isShortest = (item: Item): boolean => {
  const { items = [], major } = item
  const keys = major === 5 ? items.filter((_, index) => index % 2 === 0).map(keyOf) : []
  return (
    (major === 7 || item.width === shortestWidth(item.argument)) &&
    new Set(keys).size === keys.length &&
    items.every(isShortest)
  )
}

const keyOf = (item: Item): string => Buffer.from(written(item)).toString("hex")

/** Returns the value of a map's key, which is an integer or a text. */
export const memberOf = (map: Item | undefined, key: number | string): Item | undefined => {
  const expected = keyOf(
    typeof key === "string"
      ? itemOf(3, BigInt(Buffer.byteLength(key)), { bytes: Buffer.from(key) })
      : key < 0
        ? itemOf(1, BigInt(-1 - key))
        : itemOf(0, BigInt(key)),
  )
  const items = map?.major === 5 ? (map.items ?? []) : []
  const at = items.findIndex((item, index) => index % 2 === 0 && keyOf(item) === expected)
  return at < 0 ? undefined : items[at + 1]
}

/** Returns the integer of an item. */
export const integerOf = (item: Item | undefined): number | undefined =>
  item?.major === 0 ? Number(item.argument) : item?.major === 1 ? -1 - Number(item.argument) : undefined
