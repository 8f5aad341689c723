/** Whoever listens hears of each arrow that is followed and each row that refuses, until it stops. D-231. */
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
  ["LEAST", (count) => (count < 1 ? "nobody" : undefined)],
  ["MOST", (count) => (count > 9 ? "too many" : undefined)],
])

it("tells every listener of arrows and rows, and nobody of what was refused or held", () => {
  const heard: Array<Coverage.CoverageEvent> = []
  const others: Array<Coverage.CoverageEvent> = []
  const stops = [
    Coverage.subscribe((reached) => heard.push(reached)),
    Coverage.subscribe((reached) => others.push(reached)),
  ]
  door.follow(null, "build", "shut")
  door.take("SHUT", "build")
  guests.first(10)
  guests.first(5)
  stops[0]?.()
  guests.first(0)
  stops[1]?.()
  door.take(null, "build")
  const both = [
    { _tag: "Arrow", machine: "Door", from: null, on: "build" },
    { _tag: "Arrow", machine: "Door", from: "OPEN", on: "shut" },
    { _tag: "Rule", list: "Guests", row: "MOST" },
  ]
  expect(heard).toEqual(both)
  expect(others).toEqual([...both, { _tag: "Rule", list: "Guests", row: "LEAST" }])
})
