/** Whose turns a request takes. */
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { describe, expect, it } from "vitest"
import * as ClientAddress from "../../../packages/adapter-http/src/middleware/ClientAddress.ts"
import { limitsOf } from "../../../packages/adapter-http/src/middleware/ServerLimits.ts"
import * as RequestOwners from "../../../packages/adapter-http/src/server/RequestOwners.ts"

const requestOf = (headers: IncomingMessage["headers"], url = "/x", address = "192.0.2.1"): IncomingMessage => {
  const socket = new Socket()
  Object.defineProperty(socket, "remoteAddress", { value: address })
  const request = new IncomingMessage(socket)
  request.headers = headers
  request.url = url
  return request
}

const made = () =>
  RequestOwners.make(limitsOf({ requestsInFlightPerTenantMax: 7 }), ClientAddress.make(), (url) => url === "/healthz")

const namesOf = (owners: RequestOwners.RequestOwners, request: IncomingMessage) =>
  owners.pathOf(request).map(({ name }) => name)

describe("the owner of a request", () => {
  it("is its tenant once the credentials were right, from any address, and no longer when they are wrong", () => {
    const owners = made()
    const request = requestOf({ authorization: "Basic a" })
    owners.note(request, "one")
    expect(owners.pathOf(requestOf({ authorization: "Basic a" }, "/healthz", "192.0.2.9"))).toEqual([
      { name: "tenant one", max: 7 },
    ])
    owners.note(request, undefined)
    expect(namesOf(owners, request)).toEqual(["unknown", "192.0.2.1", "Basic a"])
  })

  it("is its address and credentials among the unknown ones", () => {
    const owners = made()
    owners.note(requestOf({ authorization: "Basic a" }), "one")
    expect(namesOf(owners, requestOf({ authorization: "Basic b" }))).toEqual(["unknown", "192.0.2.1", "Basic b"])
    expect(namesOf(owners, requestOf({}, "/x", "2001:db8::1"))).toEqual(["unknown", "2001:db8::/64", ""])
  })

  it("is the tenant of an approver's cookie", () => {
    const owners = made()
    owners.note(requestOf({ cookie: "session=a" }), "one")
    expect(namesOf(owners, requestOf({ cookie: "session=a" }))).toEqual(["tenant one"])
    expect(namesOf(owners, requestOf({ cookie: "session=a", authorization: "Basic b" }))[0]).toBe("unknown")
  })

  it("is its address for routes about the process, in any form of the target", () => {
    const owners = made()
    expect(namesOf(owners, requestOf({}, "/healthz"))).toEqual(["process", "192.0.2.1"])
    expect(namesOf(owners, requestOf({ authorization: "Basic b" }, "http://a/healthz"))).toEqual([
      "process",
      "192.0.2.1",
    ])
  })

  it("remembers nothing of a request without credentials", () => {
    const owners = made()
    owners.note(requestOf({}), "one")
    owners.note(requestOf({}), undefined)
    expect(namesOf(owners, requestOf({}))[0]).toBe("unknown")
  })
})
