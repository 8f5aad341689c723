/** Mutations of CBOR by its items: lengths that lie, longer forms, other types, items that are missing, repeated and nested. */
import type { Draw } from "../crypto/Mutants.ts"
import { bytesOf, mutantOfBytes, textOf } from "./ByteMutants.ts"
import { type Item, itemOf, readItem, wholeItem, written } from "./CborItems.ts"
import type { Mutator } from "./Target.ts"

const oneOf = <Value>(draw: Draw, from: ReadonlyArray<Value>): Value | undefined => from[draw(from.length)]

const numbers = [
  0n,
  1n,
  23n,
  24n,
  255n,
  256n,
  65_535n,
  65_536n,
  1n << 31n,
  1n << 32n,
  (1n << 53n) + 1n,
  (1n << 64n) - 1n,
]

const simple: ReadonlyArray<Item> = [
  itemOf(0, 0n),
  itemOf(1, 6n),
  itemOf(2, 0n, { bytes: new Uint8Array(0) }),
  itemOf(3, 1n, { bytes: Uint8Array.of(0x61) }),
  itemOf(4, 0n, { items: [] }),
  itemOf(5, 0n, { items: [] }),
  itemOf(7, 20n),
  itemOf(7, 22n),
  { major: 7, argument: 0x7c00n, width: 2 },
  { major: 7, argument: 0x8000000000000000n, width: 8 },
]

/** Writes an argument longer than it has to be, or another one that says something else of what follows. */
const mutantOfHead = (draw: Draw, item: Item): Item => {
  const kind = draw(4)
  if (kind === 0) return { ...item, width: oneOf(draw, [1, 2, 4, 8]) ?? 8 }
  if (kind === 1) return { ...item, argument: oneOf(draw, numbers) ?? 0n }
  if (kind === 2) return { ...item, argument: item.argument === 0n ? 1n : item.argument - 1n }
  return { ...item, argument: item.argument + 1n }
}

/** Sets the argument to what the item has. */
const counted = (item: Item, items: ReadonlyArray<Item>): Item =>
  itemOf(item.major, BigInt(item.major === 5 ? items.length >> 1 : items.length), { items })

const mutantOfItems = (draw: Draw, item: Item, items: ReadonlyArray<Item>): Item => {
  const step = item.major === 5 ? 2 : 1
  const at = draw(Math.ceil(items.length / step)) * step
  const some = items.slice(at, at + step)
  const kind = draw(8)
  if (kind === 0) return counted(item, items.toSpliced(at, step))
  if (kind === 1) return counted(item, [...items, ...some])
  if (kind === 2) return counted(item, [...some, ...items.toSpliced(at, step)])
  const inside = draw(items.length)
  const chosen = items[inside]
  return chosen === undefined ? item : { ...item, items: items.with(inside, mutantOfItem(draw, chosen)) }
}

/** The bytes that some authenticator data has before the key: 37, 16 of the model, and the identifier with its length. */
const lengthBeforeKey = (data: Uint8Array): number => 55 + Buffer.from(data).readUInt16BE(53)

/** Changes a part of authenticator data: what is before the key, the key, or what follows it. */
const mutantOfAuthenticatorData = (draw: Draw, data: Uint8Array): Uint8Array => {
  if (data.length < 56 || draw(4) === 0) return mutantOfBytes(draw, data)
  const begin = lengthBeforeKey(data)
  const key = readItem(data, begin)
  if (key === undefined) return mutantOfBytes(draw, data)
  const [before, after] = [data.slice(0, begin), data.subarray(key.end)]
  const kind = draw(6)
  if (kind === 0) before[32] = (before[32] ?? 0) ^ (1 << draw(8))
  if (kind === 1)
    return Buffer.concat([
      before.with(32, (before[32] ?? 0) | 0x80),
      written(key.item),
      written(oneOf(draw, simple) ?? key.item),
    ])
  if (kind === 2) return Buffer.concat([before, written(key.item), mutantOfBytes(draw, after)])
  return Buffer.concat([before, written(mutantOfItem(draw, key.item)), after])
}

const mutantOfContent = (draw: Draw, item: Item, bytes: Uint8Array): Item => {
  const changed =
    bytes.length >= 37 && draw(4) > 0 ? mutantOfAuthenticatorData(draw, bytes) : mutantOfBytes(draw, bytes)
  return { ...item, argument: BigInt(changed.length), width: 0, bytes: changed }
}

const mutantOfItem = (draw: Draw, item: Item): Item => {
  const kind = draw(24)
  if (kind === 0) return oneOf(draw, simple) ?? item
  if (kind === 1) return itemOf(4, 1n, { items: [item] })
  if (kind === 2) return itemOf(6, oneOf(draw, numbers) ?? 0n, { items: [item] })
  if (kind === 3) return { ...item, major: draw(8) }
  if (kind < 7) return mutantOfHead(draw, item)
  const { bytes, items = [] } = item
  if (items.length > 0) return mutantOfItems(draw, item, items)
  return bytes === undefined ? mutantOfHead(draw, item) : mutantOfContent(draw, item, bytes)
}

export const cborMutator: Mutator = (draw, input) => {
  const bytes = bytesOf(input)
  const item = draw(4) === 0 ? undefined : wholeItem(bytes)
  return textOf(item === undefined ? mutantOfBytes(draw, bytes) : written(mutantOfItem(draw, item)))
}

export const authenticatorDataMutator: Mutator = (draw, input) =>
  textOf(mutantOfAuthenticatorData(draw, bytesOf(input)))
