/** Coverage events: every subscriber receives each arrow taken and each row that refuses. D-231. */
import { Coverage, Machine, Rules } from "@countersign/core/verify"
import { expect, it } from "vitest"

const door = Machine.make({
  name: "Door",
  arrows: [
    [null, "build", "OPEN"],
    ["OPEN", "shut", "SHUT"],
  ],
})
const guests = Rules.make<number, string>("Guests", [
  ["LEAST", (count) => (count < 1 ? "too few" : undefined)],
  ["MOST", (count) => (count > 9 ? "too many" : undefined)],
])

it("reports arrows and refusing rows to every subscriber, and neither refused triggers nor passing rows", () => {
  const received: Array<Coverage.CoverageEvent> = []
  const receivedByOther: Array<Coverage.CoverageEvent> = []
  const unsubscribe = [
    Coverage.subscribe((event) => received.push(event)),
    Coverage.subscribe((event) => receivedByOther.push(event)),
  ]
  door.follow(null, "build", "shut")
  door.take("SHUT", "build")
  guests.first(10)
  guests.first(5)
  unsubscribe[0]?.()
  guests.first(0)
  unsubscribe[1]?.()
  door.take(null, "build")
  const both = [
    { _tag: "Arrow", machine: "Door", from: null, on: "build" },
    { _tag: "Arrow", machine: "Door", from: "OPEN", on: "shut" },
    { _tag: "Rule", list: "Guests", row: "MOST" },
  ]
  expect(received).toEqual(both)
  expect(receivedByOther).toEqual([...both, { _tag: "Rule", list: "Guests", row: "LEAST" }])
})
