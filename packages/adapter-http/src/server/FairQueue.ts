/**
 * A queue in which owners take turns, however much each of them adds. The parts of an owner take turns with the owner's turns.
 * What one owner adds is taken in its order.
 * Source: D-363; fair queuing with the longest queue giving way (RFC 7567, section 4.3; RFC 8290).
 */

/** An owner, or a part of one. */
export interface Owner {
  readonly name: string
  /** How many items it may have. */
  readonly max: number
}

export interface FairQueue<Item> {
  readonly size: () => number
  /** How many owners have items. */
  readonly ownerCount: () => number
  /** Adds an item of an owner, of one of its parts, and so on. Returns the item that has no room: the newest of the longest queue. */
  readonly add: (path: ReadonlyArray<Owner>, item: Item) => Item | undefined
  /** Takes the next item; `undefined` if the queue is empty. */
  readonly take: () => Item | undefined
}

interface Queue<Item> {
  readonly max: number
  /** In the order of their turns. */
  readonly parts: Map<string, Queue<Item>>
  /** The items that belong to no part. */
  readonly items: Array<Item>
  /** How many items it has with its parts. */
  size: number
}

const queueOf = <Item>(max: number): Queue<Item> => ({ max, parts: new Map(), items: [], size: 0 })

const takeFrom = <Item>(queue: Queue<Item>): Item | undefined => {
  if (queue.size === 0) return undefined
  queue.size -= 1
  if (queue.items.length > 0) return queue.items.shift()
  for (const [name, part] of queue.parts) {
    const item = takeFrom(part)
    queue.parts.delete(name)
    if (part.size > 0) queue.parts.set(name, part)
    return item
  }
  return undefined
}

/** Takes the newest item of the longest part. Of equal parts it is the last, whose turn is the farthest. */
const dropFrom = <Item>(queue: Queue<Item>): Item | undefined => {
  queue.size -= 1
  let longest: readonly [string, Queue<Item>] | undefined
  for (const entry of queue.parts) if (entry[1].size >= (longest?.[1].size ?? 0)) longest = entry
  if (longest === undefined) return queue.items.pop()
  const [name, part] = longest
  const item = dropFrom(part)
  if (part.size === 0) queue.parts.delete(name)
  return item
}

/** Makes a queue of at most `max` items. */
export const make = <Item>(max: number): FairQueue<Item> => {
  const all = queueOf<Item>(max)
  return {
    size: () => all.size,
    ownerCount: () => all.parts.size,
    add: (path, item) => {
      const along = [all]
      let queue = all
      for (const owner of path) {
        const part = queue.parts.get(owner.name) ?? queueOf<Item>(owner.max)
        queue.parts.set(owner.name, part)
        along.push(part)
        queue = part
      }
      queue.items.push(item)
      for (const each of along) each.size += 1
      // The innermost: what it drops makes room in those around it.
      const full = along.findLastIndex((each) => each.size > each.max)
      const dropping = along[full]
      if (dropping === undefined) return undefined
      for (const each of along.slice(0, full)) each.size -= 1
      return dropFrom(dropping)
    },
    take: () => takeFrom(all),
  }
}
