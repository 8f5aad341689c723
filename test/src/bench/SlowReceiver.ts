/** A webhook endpoint that answers after a fixed time and counts the deliveries of each path. `GET /counts` returns the counts. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"

export interface SlowReceiverOptions {
  readonly answerMillis: number
}

export type Counts = Readonly<Record<string, number>>

export const slowReceiver = ({ answerMillis }: SlowReceiverOptions): void => {
  const counts: Record<string, number> = {}
  const server = createServer((request, response) => {
    const { method, url = "/" } = request
    if (method === "GET") {
      response.end(JSON.stringify(counts))
      return
    }
    request.resume()
    request.on("end", () => {
      void pause(answerMillis).then(() => {
        counts[url] = (counts[url] ?? 0) + 1
        response.end()
      })
    })
  })
  server.listen(0, "127.0.0.1", () => {
    process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
  })
}
