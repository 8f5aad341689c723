/** Requests of the listener for `node:http` that wait for a turn, and whose turns they take. Source: D-363. */
import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { Effect, Metric } from "effect"
import { HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import type { Admission, Waiting } from "../../../packages/adapter-http/src/server/Admission.ts"
import type { Owner } from "../../../packages/adapter-http/src/server/FairQueue.ts"
import { nodeListenerOf } from "../../../packages/adapter-http/src/server/NodeListener.ts"

const exchanged = (headers: IncomingMessage["headers"] = {}, url = "/a") => {
  const incoming = new IncomingMessage(new Socket())
  Object.assign(incoming, { method: "GET", headers, url })
  return { incoming, response: new ServerResponse(incoming) }
}

/** A listener whose requests wait unless they are free. It remembers who waits, and who was noted. */
const listening = ({
  isFree = false,
  tenant,
}: {
  readonly isFree?: boolean
  readonly tenant?: string | undefined
} = {}) => {
  const waiting: Array<Waiting & { readonly path: ReadonlyArray<Owner> }> = []
  const noted: Array<string> = []
  let answered = 0
  const admission: Admission = {
    isFree: () => isFree,
    wait: (path, request) => void waiting.push({ ...request, path }),
    note: (name) => void noted.push(name),
    noteConnection: () => undefined,
  }
  const listener = nodeListenerOf(
    {
      handler: () => Promise.reject(new Error("the routes answer")),
      exchange: () => (request) => {
        answered++
        request.noteTenant(tenant)
        request.answer(HttpServerResponse.text("done"))
        return () => undefined
      },
      asksAboutProcess: (url) => url === "/healthz",
    },
    { requestsInFlightPerTenantMax: 7, requestsInFlightMax: 9 },
    admission,
  )
  return { listener, waiting, noted, answers: () => answered }
}

/** How many requests were refused before they had a route. */
const refusals = async () => {
  const snapshots = await Effect.runPromise(Metric.snapshot)
  return snapshots.find(({ id }) => id === "countersign_requests_refused_total")?.state
}

const settled = (promise: Promise<void>) => promise.then(() => "settled")

describe("a request that finds the loop free", () => {
  it("starts at once", async () => {
    const { answers, listener, waiting } = listening({ isFree: true })
    const { incoming, response } = exchanged()
    await listener(incoming, response)
    expect([answers(), waiting.length, response.statusCode]).toEqual([1, 0, 200])
  })
})

describe("a request that waits", () => {
  it("starts at its turn", async () => {
    const { answers, listener, waiting } = listening()
    const { incoming, response } = exchanged()
    const done = listener(incoming, response)
    expect([answers(), waiting.length, response.headersSent]).toEqual([0, 1, false])
    waiting[0]?.start()
    expect(await settled(done)).toBe("settled")
    expect([answers(), response.statusCode]).toEqual([1, 200])
  })

  it("is refused with a 503, and is counted", async () => {
    const before = await refusals()
    const { answers, listener, waiting } = listening()
    const { incoming, response } = exchanged()
    const done = listener(incoming, response)
    waiting[0]?.refuse()
    expect(await settled(done)).toBe("settled")
    expect([answers(), response.statusCode, response.headersSent]).toEqual([0, 503, true])
    expect(incoming.readableFlowing).toBe(true)
    expect(await refusals()).not.toEqual(before)
  })

  it.each(["start", "refuse"] as const)("is left alone at its turn to %s if its client has left", async (turn) => {
    const before = await refusals()
    const { answers, listener, waiting } = listening()
    const { incoming, response } = exchanged()
    const done = listener(incoming, response)
    response.destroy()
    waiting[0]?.[turn]()
    expect(await settled(done)).toBe("settled")
    expect([answers(), response.headersSent]).toEqual([0, false])
    expect(await refusals()).toEqual(before)
  })

  it.each(["start", "refuse"] as const)("is left alone at its turn to %s if it was answered", async (turn) => {
    const { answers, listener, waiting } = listening()
    const { incoming, response } = exchanged()
    const done = listener(incoming, response)
    response.writeHead(408)
    waiting[0]?.[turn]()
    expect(await settled(done)).toBe("settled")
    expect([answers(), response.statusCode]).toEqual([0, 408])
  })
})

describe("the turns of a request", () => {
  const pathOf = ({ listener, waiting }: ReturnType<typeof listening>, ...parts: Parameters<typeof exchanged>) => {
    const { incoming, response } = exchanged(...parts)
    void listener(incoming, response)
    return waiting.at(-1)?.path
  }

  it("are those of unknown callers and of the process, with the limits of the options", () => {
    const made = listening()
    const unknown = [
      { name: "unknown", max: 9 },
      { name: "", max: 7 },
      { name: "a", max: 7 },
    ]
    expect(pathOf(made, { authorization: "a" })).toEqual(unknown)
    expect(pathOf(made, {}, "/healthz")).toEqual([
      { name: "process", max: 9 },
      { name: "", max: 7 },
    ])
  })

  it("are its tenant's once a request with its credentials was the tenant's", async () => {
    const made = listening({ tenant: "Platform:1" })
    pathOf(made, { authorization: "a" })
    made.waiting[0]?.start()
    expect(made.noted).toEqual(["Platform:1"])
    expect(pathOf(made, { authorization: "a" })).toEqual([{ name: "tenant Platform:1", max: 7 }])
    expect(pathOf(made, { authorization: "b" })).toHaveLength(3)
  })

  it("are nobody's if the credentials were wrong", () => {
    const made = listening()
    pathOf(made, { authorization: "a" })
    made.waiting[0]?.start()
    expect(made.noted).toEqual([])
    expect(pathOf(made, { authorization: "a" })).toHaveLength(3)
  })
})
