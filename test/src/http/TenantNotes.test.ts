/** What the server of a request learns about its credentials. */
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { describe, expect, it } from "vitest"
import * as ClientAddress from "../../../packages/adapter-http/src/middleware/ClientAddress.ts"
import * as ByteBudget from "../../../packages/adapter-http/src/server/ByteBudget.ts"
import * as NodeRequest from "../../../packages/adapter-http/src/server/NodeRequest.ts"
import { base, basic, bearer, fakeService } from "../wire/FakeService.ts"

const service = fakeService()

/** Sends a request to the routes and returns the tenants that they noted. */
const notedFor = async (path: string, authorization?: string): Promise<ReadonlyArray<string | undefined>> => {
  await service.handler(new Request("http://service.test/healthz"))
  const exchange = service.exchange?.()
  const request = new IncomingMessage(new Socket())
  request.method = "GET"
  request.url = `${base}${path}`
  request.rawHeaders = authorization === undefined ? [] : ["authorization", authorization]
  const noted: Array<string | undefined> = []
  const shared = {
    addresses: ClientAddress.make(),
    bodies: ByteBudget.make<Socket>(1_000, () => {}),
    noteTenant: (_: IncomingMessage, tenant: string | undefined) => void noted.push(tenant),
  }
  await new Promise<void>((resolve) => {
    exchange?.(NodeRequest.make(request, shared, () => resolve()))
  })
  return noted
}

describe("the server of a request", () => {
  it("learns the platform of right credentials, and of an agent's", async () => {
    const platform = "PlatformConfig:00000000-0000-4000-8000-000000000001"
    expect(await notedFor("/customers/x", basic("all"))).toEqual([platform])
    expect(await notedFor("/customers/x", basic("all@other"))).toEqual([`${platform}other`])
    expect(await notedFor("/agents/me", bearer())).toEqual([platform])
  })

  it("learns that credentials are wrong", async () => {
    expect(await notedFor("/customers/x", basic("all", "wrong"))).toEqual([undefined])
    expect(await notedFor("/agents/me", "Bearer wrong")).toEqual([undefined])
  })
})
