/** The keys that a bank in a test makes for itself. */
import ssh2 from "ssh2"
import { describe, expect, it } from "vitest"
import { sshKeyPair } from "./BankServer.ts"

describe("a pair of keys for a bank's server", () => {
  it("can be read, also where the public key begins with a zero", () => {
    const pairs = Array.from({ length: 600 }, () => sshKeyPair())
    expect(pairs.filter((pair) => ssh2.utils.parseKey(pair.private) instanceof Error)).toEqual([])
  })

  it("is made anew when the library spoiled it", () => {
    const good = ssh2.utils.generateKeyPairSync("ecdsa", { bits: 256 })
    const answers = [{ ...good, private: good.private.replace(/[A-Za-z0-9+/]{8}/, "") }, good]
    const asked: Array<typeof good> = []
    const pair = sshKeyPair(() => {
      const next = answers[asked.length] ?? good
      asked.push(next)
      return next
    })
    expect(pair).toBe(good)
    expect(asked).toHaveLength(2)
  })
})
