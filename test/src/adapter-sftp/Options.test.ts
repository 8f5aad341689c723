/** Names of files that are carried, and the options of a carrier. */
import { sftpCarrier } from "@countersign/adapter-sftp"
import { describe, expect, it } from "vitest"
import { isSafeName, isUnfinishedName, shownName } from "../../../packages/adapter-sftp/src/options/SafeName.ts"
import { hostKey } from "./BankServer.ts"
import { fingerprintOfKey } from "./SftpWorld.ts"

describe("a name", () => {
  it.each(["a", "A-1_b.xml", "_x", "pay (1),+=@#~.xml", "a".repeat(151)])("is usable: %s", (name) => {
    expect([isSafeName(name), isUnfinishedName(name)]).toEqual([true, false])
  })

  it.each(["", ".a", "-a", " a", "a/b", "a\\b", "a\nb", "a:b", "é", "a".repeat(152)])("cannot be used: %j", (name) => {
    expect(isSafeName(name)).toBe(false)
  })

  it.each([".a", "a.tmp", "a.PART", "a.partial", "a.filepart", "a.crdownload", "a.swp", "a~"])(
    "is that of an unfinished file: %s",
    (name) => expect(isUnfinishedName(name)).toBe(true),
  )

  it.each(["a.tmp.xml", "part", "tmp", "a~b", "a.parts"])("is that of a whole file: %s", (name) => {
    expect(isUnfinishedName(name)).toBe(false)
  })

  it("is shown escaped, and no longer than 80 characters", () => {
    expect(shownName("a\nb")).toBe('"a\\nb"')
    expect(shownName("x".repeat(90))).toBe(`"${"x".repeat(80)}"`)
  })
})

describe("the options", () => {
  const server = { host: "h", username: "u", keyFile: "/key", hostKeys: [fingerprintOfKey(hostKey.public)] }
  const right = { name: "euro", folder: "/f", remoteIn: "/in", remoteOut: "/out", server }
  const fingerprints =
    "`hostKeys` must be fingerprints like `SHA256:` and 43 characters of base64, as `ssh-keygen -lf` prints them."
  const credentials = "one of `keyFile` and `passwordFile` is needed."
  const paths = "`folder`, `remoteIn`, `remoteOut` and `received.moveTo` must be paths."
  const wrong: ReadonlyArray<readonly [string, object, string]> = [
    [
      "no host key",
      { server: { ...server, hostKeys: [] } },
      "`hostKeys` must have the fingerprint of the server's host key.",
    ],
    ["a host key that is no fingerprint", { server: { ...server, hostKeys: ["MD5:00"] } }, fingerprints],
    [
      "one malformed fingerprint of two",
      { server: { ...server, hostKeys: [...server.hostKeys, `${server.hostKeys[0]}=`] } },
      fingerprints,
    ],
    ["no credentials", { server: { host: "h", username: "u", hostKeys: server.hostKeys } }, credentials],
    ["two credentials", { server: { ...server, passwordFile: "/p" } }, credentials],
    ["one remote folder", { remoteIn: "/out" }, "`remoteIn` and `remoteOut` must be two folders."],
    ["no folder", { folder: "" }, paths],
    ["no remote folder", { remoteOut: "" }, paths],
    ["a remote folder with a NUL", { remoteIn: "/in\u0000" }, paths],
    ["no folder for what was received", { received: { moveTo: "" } }, paths],
  ]
  it.each(wrong)("with %s are refused at once", (_, changes, problem) => {
    const message = `the server of the bank euro cannot be used: ${problem}`
    expect(() => sftpCarrier({ ...right, ...changes })).toThrow(new RangeError(message))
    expect(() => sftpCarrier(right)).not.toThrow()
  })

  it.each(["keep", "delete", { moveTo: "/archive" }] as const)("may say what becomes of a file: %j", (received) => {
    expect(() => sftpCarrier({ ...right, received })).not.toThrow()
  })
})
