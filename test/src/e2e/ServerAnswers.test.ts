/** How the answers of a server, and its absence, become the exit codes of a command. Source: D-458. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "vitest"
import { inProcess } from "./InProcess.ts"

/** Runs a command on a server that answers every request with a status and a body. */
const answered = async (status: number, body: unknown) => {
  const server = createServer((_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    return await inProcess([
      ...["clock", "show", "--json", "--server", address],
      ...["--client-id", "first", "--client-secret", "its-secret"],
    ])
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

it.each([
  [400, "INVALID_INPUT", 1, /INVALID_INPUT: No\./u],
  [401, "UNAUTHORIZED", 8, /refuses the credentials of first: UNAUTHORIZED: No\./u],
  [403, "FORBIDDEN", 8, /does not permit this to first: FORBIDDEN: No\./u],
  [404, "NOT_FOUND", 1, /NOT_FOUND: No\./u],
  [409, "CONFLICT", 1, /CONFLICT: No\./u],
  [500, "INTERNAL_ERROR", 7, /answered 500: INTERNAL_ERROR: No\./u],
  [501, "NOT_IMPLEMENTED", 1, /NOT_IMPLEMENTED: No\./u],
  [503, "SERVICE_UNAVAILABLE", 7, /answered 503: SERVICE_UNAVAILABLE: No\./u],
])("an answer with the status %i and the code %s ends a command with %i", async (status, code, exit, said) => {
  const ended = await answered(status, { status, code, message: "No." })
  expect(ended.stderr).toMatch(said)
  expect(ended.code).toBe(exit)
  expect(ended.stdout).toBe("")
  expect(ended.stderr).not.toContain("its-secret")
})

it("an answer of another program, such as a proxy, ends a command with 7", async () => {
  expect(await answered(502, "<html>")).toMatchObject({ code: 7, stdout: "" })
})
