/** Which requests are found slow: those whose client the server waits for, at less than the least rate. D-315. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { expect, it } from "vitest"
import * as SlowBodies from "../../../packages/adapter-http/src/server/SlowBodies.ts"

const limits = { bodyBytesPerSecondMin: 100, bodyGraceMillis: 3_000 }

/** A request whose bytes a test counts. */
const requestOf = () => {
  const state = { complete: false, readableLength: 0, readableHighWaterMark: 1_000, socket: { bytesRead: 5_000 } }
  const req: Pick<IncomingMessage, "complete" | "readableLength" | "readableHighWaterMark"> & object = state
  return { state, response: { req } as ServerResponse }
}

/** Whether it is slow at each of the next checks, of which one is made each second. Between them it receives the bytes. */
const checked = (
  bytes: ReadonlyArray<number>,
  change: (state: ReturnType<typeof requestOf>["state"], at: number) => void = () => undefined,
) => {
  const { find, intervalMillis } = SlowBodies.make(limits)
  expect(intervalMillis).toBe(1_000)
  const { response, state } = requestOf()
  return bytes.map((received, at) => {
    state.socket.bytesRead += received
    change(state, at)
    return find([response]).length === 1
  })
}

it("is slow once the time of grace has passed at less than the rate", () => {
  expect(checked([0, 99, 99, 99, 99])).toEqual([false, false, false, false, true])
  expect(checked([0, 0, 0, 0, 0])).toEqual([false, false, false, false, true])
})

it("is not slow at the rate, counted from the first check", () => {
  expect(checked([9_000, 100, 100, 100, 100, 100])).not.toContain(true)
  expect(checked([0, 400, 0, 0, 0, 0])).toEqual([false, false, false, false, false, true])
})

it("is not slow while the server does not read, and is measured anew afterwards", () => {
  const full = (state: { readableLength: number }, at: number) => {
    state.readableLength = at === 2 ? 1_000 : 999
  }
  expect(checked([0, 0, 0, 0, 0, 0, 0, 0], full)).toEqual([false, false, false, false, false, false, false, true])
})

it("is not slow when it is complete", () => {
  const ended = (state: { complete: boolean }, at: number) => {
    state.complete = at >= 4
  }
  expect(checked([0, 0, 0, 0, 0, 0], ended)).not.toContain(true)
})

it("is checked as often as its time of grace, and at least each second", () => {
  expect(SlowBodies.make({ ...limits, bodyGraceMillis: 250 }).intervalMillis).toBe(250)
})
