/**
 * Frozen copies of plain data, so that stored data cannot be changed through a caller's reference.
 * Source: architecture, "The Store port" (Memory: records are frozen).
 */

const isObject = (value: unknown): value is object => value !== null && typeof value === "object"

const copy = (value: object): object => {
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => (isObject(item) ? copy(item) : item)))
  // The spread copies a member named `__proto__` as a member.
  const members: Record<string, unknown> = { ...value }
  for (const name of Object.keys(members)) {
    const member = members[name]
    if (isObject(member)) members[name] = copy(member)
  }
  return Object.freeze(members)
}

/** Returns a deeply frozen copy of plain data (objects, arrays, primitives). */
export const frozen = <A>(value: A): A => (isObject(value) ? (copy(value) as A) : value)
