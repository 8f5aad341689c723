/**
 * Under load: random pages of filtered lists of records and events, from random cursors.
 * Source: D-518; kit/Page.ts; ports/Store.ts (list, events).
 */
import { type EventFilter, Page, type Where } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "../ChangeSets.ts"
import { agent, ann, bob, customer, newEvent, ownerOf } from "../Examples.ts"
import { BrokenLaw, equal } from "../Law.ts"
import { committed, eventsPage, list } from "../Suite.ts"
import * as Generator from "./Generator.ts"

const walks = 10
const count = 60

/** A filter, and whether what is at a position matches it. */
interface Choice<F, A> {
  readonly filter: F
  readonly isMatch: (one: A) => boolean
}

const choice = <F, A>(filter: F, isMatch: (one: A) => boolean): Choice<F, A> => ({ filter, isMatch })

/** Random filters of those that may be combined: of each list one or none. */
const combined = <F extends object, A>(
  { isOneIn, pick }: Generator.Generator,
  lists: ReadonlyArray<readonly [Choice<F, A>, ...ReadonlyArray<Choice<F, A>>]>,
): Choice<F, A> =>
  lists
    .map((all) => pick(all))
    .filter(() => isOneIn(2))
    .reduce(
      (a, b) => choice({ ...a.filter, ...b.filter }, (one) => a.isMatch(one) && b.isMatch(one)),
      choice({} as F, () => true),
    )

/** A request that begins at the start, at something that need not match the filter, or at a position with nothing. */
const requestAmong = (
  { below, isOneIn, pick }: Generator.Generator,
  made: ReadonlyArray<Page.Position>,
): Page.PageRequest => {
  const at = made[below(made.length)]
  const order = pick(["asc", "desc"])
  if (at === undefined || isOneIn(2)) return { limit: 2 + below(8), order }
  const id = isOneIn(3) ? `${at.id.slice(0, -1)}/` : at.id
  return { limit: 2 + below(8), order, after: { createdAt: at.createdAt, id } }
}

/** Walks through all pages from a request on, and requires what they have to be what matches. */
const walked = Effect.fnUntraced(function* <E, R>(
  law: string,
  first: Page.PageRequest,
  matching: ReadonlyArray<Page.Position>,
  pageAt: (request: Page.PageRequest) => Effect.Effect<Omit<Page.Page<Page.Position>, "nextCursor">, E, R>,
) {
  const compare = Page.compare(first.order)
  const { after } = first
  const rest = matching.filter((one) => after === undefined || compare(one, after) > 0).toSorted(compare)
  const found: Array<string> = []
  for (let request = first; ; ) {
    const { data, hasMore, totalCount } = yield* pageAt(request)
    found.push(...data.map((one) => one.id))
    equal(
      law,
      [data.length, hasMore, totalCount],
      [Math.min(first.limit, rest.length - found.length + data.length), rest.length > found.length, matching.length],
    )
    const last = data.at(-1)
    if (!hasMore || last === undefined) break
    if (found.length > rest.length) throw new BrokenLaw(law, "the pages have no end")
    request = { ...first, after: { createdAt: last.createdAt, id: last.id } }
  }
  equal(
    law,
    found,
    rest.map(({ id }) => id),
  )
})

const regions = ["US", "BR", undefined] as const

const recordPages = Effect.fnUntraced(function* (generator: Generator.Generator) {
  const { below, isOneIn, many, pick } = generator
  const made = many(count, (index) => ({
    id: customer(index + 1).id,
    n: index + 1,
    createdAt: 1000 + below(12),
    customerType: pick(["BUSINESS", "INDIVIDUAL"]),
    region: pick(regions),
    isDeleted: isOneIn(4),
  }))
  for (const [createdAt, all] of Map.groupBy(made, (one) => one.createdAt)) {
    const inserts = all.map(({ customerType, isDeleted, n, region }) =>
      customer(n, { customerType, isDeleted, ...(region === undefined ? {} : { region }) }),
    )
    yield* committed(changeSet({ at: createdAt, inserts }))
  }
  type Made = (typeof made)[number]
  const of = (filter: Where, isMatch: (one: Made) => boolean) => choice<Where, Made>(filter, isMatch)
  const from = 1000 + below(6)
  const to = from + below(6)
  for (let n = 0; n < walks; n++) {
    const { filter, isMatch } = combined<Where, Made>(generator, [
      [
        of({ customerType: { eq: "BUSINESS" } }, (one) => one.customerType === "BUSINESS"),
        of({ isDeleted: { eq: false } }, (one) => !one.isDeleted),
        of({ isDeleted: { eq: true } }, (one) => one.isDeleted),
      ],
      [
        of({ region: { eq: "US" } }, (one) => one.region === "US"),
        of({ region: { eq: null } }, (one) => one.region === undefined),
        of({ region: { in: ["BR", "US"] } }, (one) => one.region !== undefined),
        of({ currencies: { has: "USD" } }, () => true),
      ],
      [
        of({ createdAt: { from, to } }, ({ createdAt }) => createdAt >= from && createdAt <= to),
        of({ createdAt: { from } }, ({ createdAt }) => createdAt >= from),
        of({ customerId: { in: made.slice(0, 20).map(({ id }) => id) } }, (one) => one.n <= 20),
      ],
    ])
    const request = requestAmong(generator, made)
    const law = "a filtered list has each matching record once, in order, and no other"
    yield* walked(law, request, made.filter(isMatch), (page) => list("Customer", filter, page))
  }
})

const eventPages = Effect.fnUntraced(function* (generator: Generator.Generator) {
  const { below, pick } = generator
  const made = generator.many(count, (index) => {
    const customerId = pick([ann, bob, null])
    const more = { customerId, type: pick(["TEST", "CUSTOMER.KYC_APPROVED"]), subject: pick(["a", "b"]) } as const
    return { ...newEvent(index + 1, more), createdAt: 1000 + below(12) }
  })
  for (const [createdAt, all] of Map.groupBy(made, (one) => one.createdAt)) {
    const events = all.map(({ createdAt: _at, ...event }) => event)
    yield* committed(changeSet({ at: createdAt, events }))
  }
  type Made = (typeof made)[number]
  const of = (filter: EventFilter, isMatch: (one: Made) => boolean) => choice<EventFilter, Made>(filter, isMatch)
  const from = 1000 + below(6)
  const to = from + below(6)
  for (let n = 0; n < walks; n++) {
    const { filter, isMatch } = combined<EventFilter, Made>(generator, [
      [
        of({ customerId: ann }, (one) => one.customerId === ann),
        of({ customerId: bob }, (one) => one.customerId === bob),
      ],
      [of({ type: "TEST" }, (one) => one.type === "TEST"), of({ subject: "a" }, (one) => one.subject === "a")],
      [
        of({ from, to }, (one) => one.createdAt >= from && one.createdAt <= to),
        of({ to }, (one) => one.createdAt <= to),
      ],
    ])
    const request = requestAmong(generator, made)
    const law = "a filtered list of events has each matching event once, in order, and no other"
    yield* walked(law, request, made.filter(isMatch), (page) =>
      Effect.map(eventsPage(filter, page), ({ data, ...rest }) => ({ ...rest, data: data.map(({ event }) => event) })),
    )
  }
})

/** Records of one customer, and of none. */
const ownedPages = Effect.fnUntraced(function* (generator: Generator.Generator) {
  const { below, pick } = generator
  const made = generator.many(30, (index) => {
    const customerId = pick([ann, bob, null])
    return { ...agent(index + 1, ownerOf(customerId)), customerId, createdAt: 1000 + below(6) }
  })
  for (const [createdAt, all] of Map.groupBy(made, (one) => one.createdAt)) {
    const inserts = all.map(({ createdAt: _at, customerId, id }, index) => ({
      ...agent(index, ownerOf(customerId)),
      id,
    }))
    yield* committed(changeSet({ at: createdAt, inserts }))
  }
  for (const customerId of [ann, bob, null]) {
    const law = "a filtered list has each matching record once, in order, and no other"
    const matching = made.filter((one) => one.customerId === customerId)
    const request = requestAmong(generator, made)
    yield* walked(law, request, matching, (page) => list("Agent", { customerId: { eq: customerId } }, page))
  }
})

export const filteredPages = Effect.fnUntraced(function* (seed: number) {
  const generator = Generator.make(seed)
  yield* recordPages(generator)
  yield* ownedPages(generator)
  yield* eventPages(generator)
})
