/**
 * Which earlier requests a program must repeat: those whose answers it refers to, and those that changed what it names.
 * Source: D-479.
 */
import { References } from "@countersign/client/tape"
import { type BoundRequest, shownKey } from "./JournalBinding.ts"

/** Returns every text of a step in which a reference may be. */
export const textsOf = ({ step }: BoundRequest): ReadonlyArray<string> => {
  if (step._tag !== "Call") return []
  const { as, body, headers, path } = step
  const sender = typeof as === "string" ? [] : Object.values(as)
  return [path, ...sender, ...Object.values(headers), ...References.texts(body).map(([, text]) => text)]
}

/** The indexes of the answers to which a request refers. */
const referredBy = (request: BoundRequest): ReadonlyArray<number> =>
  textsOf(request).flatMap((text) =>
    References.parts(text).flatMap((part) => (typeof part === "string" || "variable" in part ? [] : [part.step])),
  )

const neverNeeded = new Set(["sandboxSendRequest"])
/** A world is replaced, and its records with it: nothing before it led to what follows, except the credentials. */
const replacing = new Set(["sandboxLoadWorld", "sandboxResetWorld"])

export const replacesWorld = ({ kept: { request } }: BoundRequest): boolean =>
  replacing.has(request.operation) && request.status < 400

const changed = ({ kept: { request } }: BoundRequest): boolean =>
  request.commits.length > 0 || (request.method !== "GET" && request.status < 400)

/** Whether it changed the settings of the platform, which everything depends on. */
const changesSettings = ({ kept: { request }, names }: BoundRequest): boolean =>
  names.size === 0 && /^(?:PATCH|PUT)$/u.test(request.method) && request.status < 400

const ids = /[A-Z]\w*:[0-9a-f-]{36}/gu

/** What it names, the records that it wrote, and those whose money it moved. */
const touched = ({ kept: { request }, names }: BoundRequest): ReadonlyArray<string> => [
  ...names,
  ...request.commits.flatMap(({ records, transfers }) =>
    [...records.map(({ id }) => id), ...transfers.flatMap(({ from, to }) => `${from} ${to}`.match(ids) ?? [])].map(
      shownKey,
    ),
  ),
]

/** Returns the indexes of the requests that lead to the last one, itself included, in their order. */
export const neededRequests = (requests: ReadonlyArray<BoundRequest>): ReadonlyArray<number> => {
  const target = requests.length - 1
  const needed = new Set<number>()
  const names = new Set<string>()
  const queue = [target]
  const isSkipped = (index: number): boolean => neverNeeded.has(requests[index]?.kept.request.operation ?? "")
  const drain = (): void => {
    for (let index = queue.pop(); index !== undefined; index = queue.pop()) {
      const request = requests[index]
      if (request === undefined || needed.has(index)) continue
      needed.add(index)
      for (const name of request.names) names.add(name)
      queue.push(...referredBy(request))
    }
  }
  drain()
  for (let before = 0; before !== needed.size; ) {
    before = needed.size
    for (const [index, request] of requests.entries()) {
      if (needed.has(index) || isSkipped(index) || !changed(request)) continue
      if (changesSettings(request) || touched(request).some((name) => names.has(name))) queue.push(index)
    }
    drain()
  }
  const first = Math.min(...needed)
  for (const [index, { kept }] of requests.entries()) {
    const isBetween = index > first && index < target
    const movesClock = kept.request.operation === "sandboxAdvanceClock" && kept.request.status < 400
    const request = requests[index]
    if (isBetween && (movesClock || (request !== undefined && replacesWorld(request)))) needed.add(index)
  }
  return [...needed].toSorted((a, b) => a - b)
}
