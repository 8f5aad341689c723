/** An endpoint on a free port of the loopback interface, in each framework of the guide. */
import { once } from "node:events"
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import { withExpress } from "./Express.ts"
import { withFastify } from "./Fastify.ts"
import { withHono } from "./Hono.ts"
import { withNext } from "./Next.ts"
import type { Receive } from "./Receive.ts"

const withListener = (listener: RequestListener) => createServer(listener)

const servers: { readonly [framework: string]: (receive: Receive) => Promise<Server> } = {
  Express: async (receive) => withListener(withExpress(receive)),
  Fastify: async (receive) => {
    const app = withFastify(receive)
    await app.ready()
    return app.server
  },
  Hono: async (receive) => withListener(getRequestListener(withHono(receive).fetch)),
  // A route handler is a function of a standard request.
  "Next.js": async (receive) => withListener(getRequestListener(withNext(receive))),
}
export const frameworks = Object.keys(servers)

/** Listens until it is disposed of. */
export const listening = async (framework: string, receive: Receive) => {
  const server = await servers[framework]?.(receive)
  if (server === undefined) throw new Error(`there is no framework ${framework}`)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
