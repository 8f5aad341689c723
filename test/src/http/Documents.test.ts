/** The documents of the interface are made once for services of the same kind. Source: D-511. */
import { expect, it } from "vitest"
import * as Documents from "../../../packages/adapter-http/src/server/Documents.ts"

it("are shared by services of the same kind, and made again for one with another name", async () => {
  const options = { isLive: true, basePath: "/v1", serviceName: "Service" }
  const first = Documents.make(options)
  expect(Documents.make({ ...options })).toBe(first)
  const other = Documents.make({ ...options, serviceName: "Acme" })
  expect(other).not.toBe(first)
  const [one, two] = (await Promise.all([first, other])).map(({ page }) => Buffer.from(page).toString())
  expect([one?.includes("Acme"), two?.includes("Acme")]).toEqual([false, true])
})
