/** Stores that lose, duplicate or change what is written. */
import { Effect } from "effect"
import { committing, every, losing, type WrongStore } from "./WrongStore.ts"

const eachEvent = "each event of a committed set is listed once, as it was committed"
const eachJob = "each unfinished job of a committed set is listed once"
const eachRecord = "a list has each committed record once, in its last version"

const reading = "a read returns the records that all acknowledged commits leave"
const balances = "a read returns the balances that all acknowledged commits leave"
const counters = "a read returns the counters that all acknowledged commits leave"
const resent = "a set that is sent again is applied once and has the same facts"
const oneOfKey = "of the sets with one idempotency key one is applied"

export const losses: ReadonlyArray<WrongStore> = [
  { name: "loses one event in 7 sets", section: "load", law: eachEvent, wrap: losing("events", 7) },
  { name: "loses one event in 50 sets", section: "load", law: eachEvent, wrap: losing("events", 50) },
  {
    name: "writes one event in 30 twice",
    section: "load",
    law: eachEvent,
    wrap: committing(() => {
      const isTwice = every(30)
      return (set) => {
        const [first] = set.events
        const copy = first && { ...first, id: first.id.replace(/^Webhook:0/u, "Webhook:1") }
        return copy !== undefined && isTwice() ? { ...set, events: [...set.events, copy] } : set
      }
    }),
  },
  {
    name: "gives one event in 20 to the platform",
    section: "load",
    law: eachEvent,
    wrap: committing(() => {
      const isGiven = every(20)
      return (set, { _tag }) =>
        _tag === "Platform" && set.events.length > 0 && isGiven()
          ? { ...set, events: set.events.map((event) => ({ ...event, customerId: null })) }
          : set
    }),
  },
  {
    name: "stores the facts of the previous commit with one event in 9",
    section: "load",
    law: eachEvent,
    wrap: ({ events }) => ({
      events: (filter, page) =>
        Effect.map(events(filter, page), ({ data, ...rest }) => ({
          ...rest,
          data: data.map((found, index) =>
            index % 9 === 8
              ? { ...found, event: { ...found.event, facts: data[index - 1]?.event.facts ?? found.event.facts } }
              : found,
          ),
        })),
    }),
  },
  {
    name: "lists the events of one millisecond in any order",
    section: "load",
    law: eachEvent,
    wrap: ({ events }) => ({
      events: (filter, page) =>
        Effect.map(events(filter, page), (found) => ({
          ...found,
          data: found.data.toSorted(
            (a, b) => a.event.createdAt - b.event.createdAt || (a.event.id < b.event.id ? 1 : -1),
          ),
        })),
    }),
  },
  {
    name: "rounds times to a hundredth of a second",
    section: "load",
    law: eachRecord,
    wrap: committing(() => (set) => ({ ...set, at: set.at - (set.at % 10) })),
  },
  { name: "loses one job in 7 sets", section: "load", law: eachJob, wrap: losing("jobs", 7) },
  { name: "loses one job in 50 sets", section: "load", law: eachJob, wrap: losing("jobs", 50) },
  { name: "loses one insert in 25 sets", section: "load", law: eachRecord, wrap: losing("inserts", 25) },
  {
    name: "loses one update in 5 sets",
    section: "load",
    law: [reading, "of two updates of one version, one is a conflict"],
    wrap: losing("updates", 5),
  },
  {
    name: "loses one delivery attempt in 9",
    section: "load",
    law: "an event is listed with its latest attempt",
    wrap: losing("attempts", 9),
  },
  {
    name: "loses one stored answer in 15",
    section: "load",
    law: ["the answer of a committed set is stored under its key", resent, oneOfKey],
    wrap: committing(() => {
      const isLost = every(15)
      return ({ replay, ...set }) => (replay === undefined || isLost() ? set : { ...set, replay })
    }),
  },
  {
    name: "applies the records of one set in 11 without the rest",
    section: "load",
    law: [balances, counters, eachEvent],
    wrap: committing(() => {
      const isHalf = every(11)
      return (set) => (isHalf() ? { ...set, events: [], jobs: [], counters: [], transfers: [] } : set)
    }),
  },
  {
    name: "keeps one text in 12 in capitals",
    section: "load",
    law: eachRecord,
    wrap: committing(() => {
      const isChanged = every(12)
      return (set) =>
        set.inserts.length > 0 && isChanged()
          ? {
              ...set,
              inserts: set.inserts.map((insert) =>
                insert.kind === "Customer"
                  ? {
                      ...insert,
                      data: { ...insert.data, platformCustomerId: insert.data.platformCustomerId.toUpperCase() },
                    }
                  : insert,
              ),
            }
          : set
    }),
  },
]
