/** Wherever the connection ends, the server is silent, or our process dies: the bank has each file once, and so have we. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { LocalFiles } from "../../../packages/adapter-sftp/src/folder/LocalFiles.ts"
import { answerMillisDefault } from "../../../packages/adapter-sftp/src/options/SftpOptions.ts"
import type { SftpCarrier } from "../../../packages/adapter-sftp/src/SftpCarrier.ts"
import { stoppedTimers } from "../harness/StoppedTimers.ts"
import type { Fault } from "./BankServer.ts"
import { carried, type SftpWorld, sftpWorld } from "./SftpWorld.ts"

const ours = "<Document>100 EUR to Ada</Document>".repeat(2_000)
const theirs = "<Document>booked</Document>"

const prepared = async () => {
  const world = await sftpWorld()
  await world.put("out", "payments.xml", ours)
  world.bank.files.set("/outbox/statement.xml", { bytes: Buffer.from(theirs), modifiedAt: 1_000 })
  return world
}

const options = { received: "delete" } as const

/** The two cycles that carry everything, in a process that may not survive them. */
const twoCycles = async (carrier: SftpCarrier) => {
  await carried(carrier)
  await carried(carrier)
}

const expectAllOnce = async ({ bank, carrier, read }: SftpWorld) => {
  const later = carrier(options)
  await carried(later)
  expect(await carried(later)).not.toHaveProperty("problem")
  expect(bank.arrived).toEqual([["payments.xml", ours]])
  expect(await read("out")).toEqual({})
  expect(await read("sftp/sent")).toEqual({ "payments.xml": ours })
  expect(Object.values(await read("in"))).toEqual([theirs])
  expect([...bank.files.keys()].filter((path) => path.startsWith("/outbox/"))).toEqual([])
}

/** How many calls the server has in two cycles, and how many points our process passes. */
const [callCount, pointCount] = [27, 28]

it("two cycles carry everything", async () => {
  await using world = await prepared()
  const carrier = world.carrier(options)
  await twoCycles(carrier)
  expect(world.bank.calls).toHaveLength(callCount)
  await expectAllOnce(world)
})

const every = Array.from({ length: callCount }, (_, at) => at + 1)

const faults: ReadonlyArray<Fault> = ["cut before", "cut after", "silent before", "silent after"]

describe.each(faults)("a server whose connection is %s", (fault) => {
  it.each(every)("call %i", async (at) => {
    using timers = stoppedTimers()
    await using world = await prepared()
    world.bank.onSilence = () => timers.pass(answerMillisDefault)
    world.bank.failAt(at, fault)
    await twoCycles(world.carrier(options))
    expect(world.bank.calls.length).toBeGreaterThanOrEqual(at)
    world.bank.failAt(0, fault)
    await expectAllOnce(world)
  })
})

class ProcessDied extends Error {}

/** Our files in a process that dies at a point: before and after each step. */
const dying = (at: number) => {
  let points = 0
  const pass = Effect.sync(() => {
    points += 1
    if (points === at) throw new ProcessDied()
  })
  const around = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    pass.pipe(
      Effect.andThen(effect),
      Effect.tap(() => pass),
    )
  const over = (files: LocalFiles): LocalFiles => ({
    prepare: around(files.prepare),
    listOut: around(files.listOut),
    readOut: (...given) => around(files.readOut(...given)),
    keepSent: (...given) => around(files.keepSent(...given)),
    note: (...given) => around(files.note(...given)),
    choose: (...given) => around(files.choose(...given)),
    putNote: (...given) => around(files.putNote(...given)),
    stage: (...given) => around(files.stage(...given)),
    publish: (...given) => around(files.publish(...given)),
  })
  return { over, points: () => points }
}

describe("our process", () => {
  it("passes a number of points", async () => {
    await using world = await prepared()
    const life = dying(0)
    await twoCycles(world.carrier(options, life.over))
    expect(life.points()).toBe(pointCount)
  })

  it.each(Array.from({ length: pointCount }, (_, at) => at + 1))("dies at point %i", async (at) => {
    await using world = await prepared()
    await expect(twoCycles(world.carrier(options, dying(at).over))).rejects.toBeInstanceOf(ProcessDied)
    await expectAllOnce(world)
  })
})
