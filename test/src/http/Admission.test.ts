/** When requests start: at once while the loop keeps up, in turns when it does not. The loop and its clock are the test's own. */
import { describe, expect, it } from "vitest"
import * as Admission from "../../../packages/adapter-http/src/server/Admission.ts"

/** A loop in which each request takes this long. */
const simulated = (requestMillis: number, requestsInFlightMax = 1_000, perOwner = 256) => {
  let now = 1_000
  let turnEnds: Array<() => void> = []
  const started: Array<string> = []
  const refused: Array<string> = []
  const admission = Admission.make(
    { requestsInFlightMax },
    { now: () => now, atTurnEnd: (run) => void turnEnds.push(run) },
  )
  const start = (name: string) => {
    started.push(name)
    now += requestMillis
  }
  return {
    started,
    refused,
    note: admission.note,
    noteConnection: admission.noteConnection,
    /** A request of an owner, which its name's first letter names. */
    arrive: (name: string) => {
      if (admission.isFree()) start(name)
      else {
        admission.wait([{ name: name.charAt(0), max: perOwner }], {
          start: () => start(name),
          refuse: () => {
            refused.push(name)
            now += 0.05
          },
        })
      }
    },
    /** Other work of the process. */
    work: (millis: number) => {
      now += millis
    },
    /** Ends the turn and returns whether the loop must go on. */
    endTurn: () => {
      const runs = turnEnds
      turnEnds = []
      for (const run of runs) run()
      return turnEnds.length > 0
    },
  }
}

const names = (owner: string, count: number) => Array.from({ length: count }, (_, index) => `${owner}${index}`)

describe("admission", () => {
  it("starts every request at once while the loop keeps up, and leaves the loop alone then", () => {
    const loop = simulated(0.5)
    for (const name of names("a", 200)) {
      loop.arrive(name)
      expect(loop.started.at(-1)).toBe(name)
      expect(loop.endTurn()).toBe(false)
    }
    expect(loop.refused).toEqual([])
  })

  it("starts all requests of a lone tenant in their order, and refuses none within the limit", () => {
    const loop = simulated(0.5)
    const all = names("a", 256)
    for (const name of all) loop.arrive(name)
    expect(loop.started.length).toBe(Admission.turnMillisAlone / 0.5)
    while (loop.endTurn()) expect(loop.started.length).toBeLessThan(256)
    expect(loop.started).toEqual(all)
    expect(loop.refused).toEqual([])
  })

  it("starts none before those that wait, although a turn has just begun", () => {
    const loop = simulated(0.5)
    for (const name of names("a", 60)) loop.arrive(name)
    loop.endTurn()
    expect(loop.started.length).toBe(40)
    loop.arrive("a60")
    expect(loop.started.length).toBe(40)
    while (loop.endTurn()) {}
    expect(loop.started).toEqual(names("a", 61))
  })

  it("wastes no time of the loop while requests wait", () => {
    const loop = simulated(0.5)
    for (const name of names("a", 256)) loop.arrive(name)
    for (let before = loop.started.length; loop.endTurn(); before = loop.started.length) {
      expect(loop.started.length - before).toBe(Admission.turnMillisAlone / 0.5)
    }
  })

  it("serves a tenant that asks for one thing at a time before a few of another's flood", () => {
    const loop = simulated(0.5)
    let asked = 0
    const flood = () => loop.arrive(`a${asked++}`)
    for (let count = 0; count < 250; count += 1) flood()
    for (let request = 0; request < 20; request += 1) {
      const before = loop.started.length
      loop.arrive(`b${request}`)
      for (let turn = 0; turn < 10 && !loop.started.includes(`b${request}`); turn += 1) {
        loop.endTurn()
        // The flood's clients ask again for each answer.
        while (asked - loop.started.length < 250 - request) flood()
      }
      expect(loop.started.slice(before, before + 2)).toContain(`b${request}`)
    }
  })

  it("shortens turns while tenants compete, and by what else the process does", () => {
    const loop = simulated(0.25)
    const turn = () => {
      const before = loop.started.length
      loop.endTurn()
      return loop.started.length - before
    }
    for (const name of names("a", 250)) loop.arrive(name)
    expect(turn()).toBe(Admission.turnMillisAlone / 0.25)
    loop.note("a")
    expect(turn()).toBe(Admission.turnMillisAlone / 0.25)
    loop.note("b")
    expect(turn()).toBe(Admission.turnMillisShared / 0.25)
    loop.work(3)
    expect(turn()).toBe((Admission.turnMillisShared - 3) / 0.25)
    loop.work(100)
    expect(turn()).toBe(Admission.turnMillisShared / 4 / 0.25)
    loop.work(250)
    expect(turn()).toBe(Admission.turnMillisAlone / 0.25)
  })

  it("shortens the turn in which a connection was accepted, since the loop accepts one in each", () => {
    const loop = simulated(0.25)
    for (const name of names("a", 250)) loop.arrive(name)
    loop.noteConnection()
    const turns = [0, 1].map(() => {
      const before = loop.started.length
      loop.endTurn()
      return loop.started.length - before
    })
    expect(turns).toEqual([Admission.turnMillisAccepting / 0.25, Admission.turnMillisAlone / 0.25])
  })

  it("refuses the newest requests of a tenant beyond its limit, spread over turns, and nobody else's", () => {
    const loop = simulated(0.5)
    for (const name of names("a", 800)) loop.arrive(name)
    for (const name of names("b", 20)) loop.arrive(name)
    const direct = loop.started.length
    expect(loop.refused).toEqual([])
    loop.endTurn()
    expect(loop.refused.length).toBeGreaterThan(0)
    expect(loop.refused.length).toBeLessThan(30)
    while (loop.endTurn()) {}
    expect(loop.refused).toEqual(names("a", 800).slice(256 + direct))
    expect(loop.started.filter((name) => name.startsWith("b"))).toEqual(names("b", 20))
    expect(loop.started.length + loop.refused.length).toBe(820)
  })

  it("refuses at once when even the refusals are too many to keep", () => {
    const loop = simulated(0.5, 100, 50)
    for (const name of names("a", 1_000)) loop.arrive(name)
    const direct = loop.started.length
    expect(loop.refused.length).toBe(1_000 - direct - 50 - 100)
    while (loop.endTurn()) {}
    expect(loop.started.length + loop.refused.length).toBe(1_000)
  })

  it("refuses what has waited for too long instead of starting it", () => {
    const loop = simulated(1)
    for (const name of names("a", 30)) loop.arrive(name)
    loop.work(Admission.waitMillisMax + 1)
    loop.arrive("b0")
    while (loop.endTurn()) {}
    expect(loop.started).toEqual([...names("a", 10), "b0"])
    expect(loop.refused).toEqual(names("a", 30).slice(10))
  })

  it("starts requests at once again when nobody waits any more", () => {
    const loop = simulated(0.5)
    for (const name of names("a", 100)) loop.arrive(name)
    while (loop.endTurn()) {}
    loop.arrive("a100")
    expect(loop.started.at(-1)).toBe("a100")
  })
})
