/**
 * A start with another wallet secret than the store's is refused, because each wallet would silently get other keys.
 * Source: D-345.
 */
import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { ExitCodes } from "../../../packages/cli/src/ExitCodes.ts"
import { credentialOptions } from "../e2e/Flow.ts"
import { newFolder } from "../e2e/Folder.ts"
import { newDatabase } from "../e2e/ServerDatabase.ts"
import { run, startServer } from "../e2e/ServerProcess.ts"

const newSecret = () => randomBytes(20).toString("hex")

const refused = async (options: ReadonlyArray<string>, secret: string) => {
  await using server = run({ options: ["--port", "0", ...credentialOptions, ...options, "--wallet-secret", secret] })
  expect((await server.exited).code).toBe(ExitCodes.unsafe.code)
  const output = server.stdout() + server.stderr()
  expect(output).toContain("derived from another wallet secret")
  expect(output).not.toContain(secret)
}

describe("a start with another wallet secret", { timeout: 120_000 }, () => {
  it("is refused on a server, for processes that answer requests and for workers", async () => {
    await using database = await newDatabase()
    const [secret, other] = [newSecret(), newSecret()]
    {
      await using _first = await startServer({
        options: [...credentialOptions, ...database.options, "--wallet-secret", secret],
      })
    }
    await refused(database.options, other)
    await refused([...database.options, "--role", "worker"], other)
    await using _again = await startServer({
      options: [...credentialOptions, ...database.options, "--wallet-secret", secret],
    })
  })

  it("is refused for a folder, whose own secret still starts it", async () => {
    await using folder = await newFolder()
    const options = ["--store", `pglite:${folder.path}`]
    {
      await using _first = await startServer({ options: [...credentialOptions, ...options] })
    }
    await refused(options, newSecret())
    await using _again = await startServer({ options: [...credentialOptions, ...options] })
  })
})
