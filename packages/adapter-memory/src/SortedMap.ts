/**
 * A persistent map in key order: every change returns a new map that shares all but one path with the old one. A copy
 * therefore costs nothing, and the old map never changes.
 * Source: architecture, "The Store port" (Memory: a fork is an overlay on a frozen base); weight-balanced trees after
 * Hirai and Yamamoto, "Balancing weight-balanced trees" (Journal of Functional Programming 21, 2011).
 */

export type Compare<K> = (a: K, b: K) => number

interface Node<K, V> {
  readonly key: K
  readonly value: V
  readonly left: Tree<K, V>
  readonly right: Tree<K, V>
  readonly size: number
}

type Tree<K, V> = Node<K, V> | undefined

export interface SortedMap<K, V> {
  readonly compare: Compare<K>
  readonly root: Tree<K, V>
}

/** Compares numbers or texts in their natural order. */
export const natural = <K extends number | string>(a: K, b: K): number => (a < b ? -1 : a > b ? 1 : 0)

/** Compares tuples by their first difference. All tuples of a map have the same length and types. */
export const lexical = <K extends ReadonlyArray<number | string>>(a: K, b: K): number => {
  for (let i = 0; i < a.length; i++) {
    const left = a[i] ?? 0
    const right = b[i] ?? 0
    if (left < right) return -1
    if (left > right) return 1
  }
  return 0
}

export const empty = <K, V>(compare: Compare<K>): SortedMap<K, V> => ({ compare, root: undefined })

const sizeOf = <K, V>(tree: Tree<K, V>): number => tree?.size ?? 0

export const size = <K, V>(map: SortedMap<K, V>): number => sizeOf(map.root)

const node = <K, V>(key: K, value: V, left: Tree<K, V>, right: Tree<K, V>): Node<K, V> => ({
  key,
  value,
  left,
  right,
  size: sizeOf(left) + sizeOf(right) + 1,
})

// The only pair of integers for which every insertion and deletion preserves the balance.
const delta = 3
const gamma = 2

const isBalanced = (a: number, b: number): boolean => delta * (a + 1) >= b + 1
const isSingle = (inner: number, outer: number): boolean => inner + 1 < gamma * (outer + 1)

/** Joins two trees, one of which may have grown or shrunk by one, to a balanced tree. */
const balance = <K, V>(key: K, value: V, left: Tree<K, V>, right: Tree<K, V>): Node<K, V> => {
  if (right !== undefined && !isBalanced(sizeOf(left), right.size)) {
    const inner = right.left
    if (inner === undefined || isSingle(inner.size, sizeOf(right.right))) {
      return node(right.key, right.value, node(key, value, left, inner), right.right)
    }
    return node(
      inner.key,
      inner.value,
      node(key, value, left, inner.left),
      node(right.key, right.value, inner.right, right.right),
    )
  }
  if (left !== undefined && !isBalanced(sizeOf(right), left.size)) {
    const inner = left.right
    if (inner === undefined || isSingle(inner.size, sizeOf(left.left))) {
      return node(left.key, left.value, left.left, node(key, value, inner, right))
    }
    return node(
      inner.key,
      inner.value,
      node(left.key, left.value, left.left, inner.left),
      node(key, value, inner.right, right),
    )
  }
  return node(key, value, left, right)
}

export const get = <K, V>(map: SortedMap<K, V>, key: K): V | undefined => {
  let at = map.root
  while (at !== undefined) {
    const order = map.compare(key, at.key)
    if (order === 0) return at.value
    at = order < 0 ? at.left : at.right
  }
  return undefined
}

const insert = <K, V>(compare: Compare<K>, tree: Tree<K, V>, key: K, value: V): Node<K, V> => {
  if (tree === undefined) return node(key, value, undefined, undefined)
  const order = compare(key, tree.key)
  if (order === 0) return node(key, value, tree.left, tree.right)
  return order < 0
    ? balance(tree.key, tree.value, insert(compare, tree.left, key, value), tree.right)
    : balance(tree.key, tree.value, tree.left, insert(compare, tree.right, key, value))
}

/** Adds or replaces the value of a key. */
export const set = <K, V>(map: SortedMap<K, V>, key: K, value: V): SortedMap<K, V> => ({
  compare: map.compare,
  root: insert(map.compare, map.root, key, value),
})

const leftmost = <K, V>(tree: Node<K, V>): Node<K, V> => {
  let at = tree
  while (at.left !== undefined) at = at.left
  return at
}

const withoutLeftmost = <K, V>(tree: Node<K, V>): Tree<K, V> =>
  tree.left === undefined ? tree.right : balance(tree.key, tree.value, withoutLeftmost(tree.left), tree.right)

const erase = <K, V>(compare: Compare<K>, tree: Tree<K, V>, key: K): Tree<K, V> => {
  if (tree === undefined) return undefined
  const order = compare(key, tree.key)
  if (order < 0) {
    const left = erase(compare, tree.left, key)
    return left === tree.left ? tree : balance(tree.key, tree.value, left, tree.right)
  }
  if (order > 0) {
    const right = erase(compare, tree.right, key)
    return right === tree.right ? tree : balance(tree.key, tree.value, tree.left, right)
  }
  if (tree.left === undefined) return tree.right
  if (tree.right === undefined) return tree.left
  const next = leftmost(tree.right)
  return balance(next.key, next.value, tree.left, withoutLeftmost(tree.right))
}

/** Removes a key; returns the same map if it has no such key. */
export const remove = <K, V>(map: SortedMap<K, V>, key: K): SortedMap<K, V> => {
  const root = erase(map.compare, map.root, key)
  return root === map.root ? map : { compare: map.compare, root }
}

/** The entry with the smallest key that is equal to or greater than `from`. */
export const firstFrom = <K, V>(map: SortedMap<K, V>, from: K): readonly [K, V] | undefined => {
  let at = map.root
  let best: Tree<K, V>
  while (at !== undefined) {
    if (map.compare(at.key, from) >= 0) {
      best = at
      at = at.left
    } else at = at.right
  }
  return best === undefined ? undefined : [best.key, best.value]
}

/** The entry with the smallest key. */
export const first = <K, V>(map: SortedMap<K, V>): readonly [K, V] | undefined => {
  if (map.root === undefined) return undefined
  const { key, value } = leftmost(map.root)
  return [key, value]
}

/** Visits entries in order, starting after the key `after` if it is given, until the visitor returns `false`. */
export const walk = <K, V>(
  map: SortedMap<K, V>,
  options: { readonly order: "asc" | "desc"; readonly after?: K | undefined },
  visit: (value: V, key: K) => boolean,
): void => {
  const { after } = options
  const ascending = options.order === "asc"
  const visitTree = (tree: Tree<K, V>): boolean => {
    if (tree === undefined) return true
    const near = ascending ? tree.left : tree.right
    const far = ascending ? tree.right : tree.left
    const distance = after === undefined ? 1 : map.compare(tree.key, after)
    const isPast = ascending || after === undefined ? distance > 0 : distance < 0
    return isPast ? visitTree(near) && visit(tree.value, tree.key) && visitTree(far) : visitTree(far)
  }
  visitTree(map.root)
}

/** All values in key order. */
export const values = <K, V>(map: SortedMap<K, V>): Array<V> => {
  const all: Array<V> = []
  walk(map, { order: "asc" }, (value) => {
    all.push(value)
    return true
  })
  return all
}

/** All entries in key order. */
export const entries = <K, V>(map: SortedMap<K, V>): Array<readonly [K, V]> => {
  const all: Array<readonly [K, V]> = []
  walk(map, { order: "asc" }, (value, key) => {
    all.push([key, value])
    return true
  })
  return all
}
