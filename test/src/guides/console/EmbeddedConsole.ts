/** The approvals page of an embedded service, beside an application of one's own. */
import { createServer, type RequestListener } from "node:http"
import { type EmbedOptions, embed } from "@countersign/adapter-http"
import { consolePageOf } from "@countersign/console"

/** Paths that belong to the service: the page with its sign-in, and the interface that it calls. */
const isService = (url = "") => ["/console", "/2025-10-13"].some((path) => url === path || url.startsWith(`${path}/`))

export const startWithConsole = async (options: EmbedOptions, application: RequestListener) => {
  const payments = await embed({ ...options, console: consolePageOf({ passkeys: "off" }) })
  const server = createServer((request, response) =>
    isService(request.url) ? payments.listener(request, response) : application(request, response),
  )
  return {
    server,
    stop: async () => {
      // First: open pages follow changes by streams, which end here.
      await payments.dispose()
      server.close()
    },
  }
}
