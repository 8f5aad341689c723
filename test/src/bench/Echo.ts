/** A minimal HTTP server in Node: it reads a JSON body and responds with one of a given size. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface EchoOptions {
  readonly answer: string
}

export const echo = ({ answer }: EchoOptions): void => {
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      JSON.parse(Buffer.concat(chunks).toString())
      response.writeHead(201, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) })
      response.end(answer)
    })
  })
  server.listen(0, "127.0.0.1", () => {
    process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
  })
}
