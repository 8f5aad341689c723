/** Which hosts are this machine: what is said in clear, and which page may keep a session, depend on it. */
import { expect, it } from "vitest"
import { isLoopback } from "../../../packages/adapter-http/src/middleware/PublicUrl.ts"

it.each(["localhost", "::1", "[::1]", "127.0.0.1", "127.255.0.254", "::ffff:127.0.0.1", "::FFFF:127.0.0.1"])(
  "%s is a loopback address",
  (host) => {
    expect(isLoopback(host)).toBe(true)
  },
)

it.each([
  "",
  "0.0.0.0",
  "::",
  "10.0.0.1",
  "128.0.0.1",
  "127.0.0",
  "127.0.0.1.evil.example",
  "evil.example.127.0.0.1",
  "1127.0.0.1",
  "127.0.0.1000",
  "localhost.evil.example",
  "evil-localhost",
  "::ffff:10.0.0.1",
  "::ffff:evil.example",
  "::11",
  "[::1",
])("%s is not", (host) => {
  expect(isLoopback(host)).toBe(false)
})
