/**
 * A received event with the names of the contract, whatever name the deployment has.
 * Source: wire contract areas 2.5 (clients of ours); D-371.
 */
import { spellingsOf } from "@countersign/core/names"
import { type EventElement, EventElements } from "./EventElements.ts"

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Changes the value at a path, if there is one. */
const changeAt = (value: unknown, path: ReadonlyArray<string>, change: (value: unknown) => unknown): unknown => {
  const [name, ...rest] = path
  if (name === undefined) return change(value)
  return isObject(value) && Object.hasOwn(value, name)
    ? { ...value, [name]: changeAt(value[name], rest, change) }
    : value
}

/**
 * Returns the renaming of events, whose types have proven to be texts. Throws if the
 * name is not valid.
 */
export const neutralEvents = (serviceName: string): ((event: Members) => Members) => {
  const spellings = spellingsOf(serviceName)
  if (spellings.size === 0) return (event) => event

  const neutralOf = (names: ReadonlyArray<string>) =>
    new Map(names.map((neutral) => [spellings.get(neutral) ?? neutral, neutral]))

  /** Of both spellings, the deployment's counts. */
  const renameMembers = (names: ReadonlyMap<string, string>) => (value: unknown) => {
    if (!isObject(value)) return value
    const renamed = new Set(Object.keys(value).flatMap((name) => names.get(name) ?? []))
    const kept = Object.entries(value).filter(([name]) => names.has(name) || !renamed.has(name))
    return Object.fromEntries(kept.map(([name, own]) => [names.get(name) ?? name, own]))
  }
  const renameValue = (names: ReadonlyMap<string, string>) => (value: unknown) => names.get(String(value)) ?? value

  const renaming = ({ at, members, values }: EventElement) => {
    const change = members === undefined ? renameValue(neutralOf(values ?? [])) : renameMembers(neutralOf(members))
    return (data: unknown) => changeAt(data, at, change)
  }
  const renamings = new Map(
    Object.entries(EventElements).map(([resource, elements]) => [resource, elements.map(renaming)]),
  )
  return (event) => {
    const [subject = ""] = String(event["type"]).split(".")
    const changes = renamings.get(subject)
    if (changes === undefined) return event
    return { ...event, data: changes.reduce((data, change) => change(data), event["data"]) }
  }
}
