/** What is carried between a bank's server and our folder, and what is left alone. */

import { once } from "node:events"
import { mkdir, readdir, rename, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { Deferred, Effect, Layer, Logger, References } from "effect"
import { describe, expect, it } from "vitest"
import { hostKey, lockedKey, otherHostKey, passphrase } from "./BankServer.ts"
import { carried, fingerprintOfKey, sftpWorld } from "./SftpWorld.ts"

const at = (text: string, modifiedAt = 1_000) => ({ bytes: Buffer.from(text), modifiedAt })
const nothing = { bank: "euro", sent: [], received: [], waiting: [], skipped: [] }

describe("a file of ours", () => {
  it("is sent once under its name, and kept", async () => {
    await using world = await sftpWorld()
    await world.put("out", "pay-1.xml", "one")
    await world.put("out", ".hidden", "no")
    await world.put("out", "half.part", "no")
    const carrier = world.carrier()
    expect(await carried(carrier)).toEqual({ ...nothing, sent: ["pay-1.xml"] })
    expect(await carried(carrier)).toEqual(nothing)
    expect(world.bank.arrived).toEqual([["pay-1.xml", "one"]])
    expect(await world.read("out")).toEqual({ ".hidden": "no", "half.part": "no" })
    expect(await world.read("sftp/sent")).toEqual({ "pay-1.xml": "one" })
  })

  it("is sent once if the bank collects it before the renaming is acknowledged", async () => {
    await using world = await sftpWorld()
    await world.put("out", "pay-1.xml", "one")
    world.bank.collects = true
    world.bank.failAt(5, "cut after")
    expect(await carried(world.carrier())).toMatchObject({ problem: "rename: the connection was closed" })
    expect(world.bank.calls.at(-1)).toBe("rename")
    expect([...world.bank.files.keys()]).toEqual([])
    const before = world.bank.calls.length
    expect(await carried(world.carrier())).toMatchObject({ sent: ["pay-1.xml"] })
    expect(world.bank.calls.slice(before)).not.toContain("write")
    expect(world.bank.arrived).toEqual([["pay-1.xml", "one"]])
  })

  it("is sent once by several processes at the same time", async () => {
    await using world = await sftpWorld()
    for (const n of [1, 2, 3]) await world.put("out", `pay-${n}.xml`, `file ${n}`)
    const processes = Array.from({ length: 4 }, () => world.carrier())
    await Promise.all(processes.map(carried))
    await carried(world.carrier())
    expect(world.bank.arrived.toSorted()).toEqual([1, 2, 3].map((n) => [`pay-${n}.xml`, `file ${n}`]))
    expect([...world.bank.files.keys()].toSorted()).toEqual([1, 2, 3].map((n) => `/inbox/pay-${n}.xml`))
  })

  it("is not sent by a process that was frozen in its upload until another one had sent it and the bank had collected it", async () => {
    await using world = await sftpWorld()
    await world.put("out", "pay-1.xml", "one")
    const [reached, thaw] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
    const frozen = world.carrier({}, (files) => ({
      ...files,
      choose: (...given) =>
        Deferred.succeed(reached, undefined).pipe(
          Effect.andThen(Deferred.await(thaw)),
          Effect.andThen(files.choose(...given)),
        ),
    }))
    const late = carried(frozen)
    await Effect.runPromise(Deferred.await(reached))
    world.bank.collects = true
    await carried(world.carrier())
    Effect.runSync(Deferred.succeed(thaw, undefined))
    await late
    expect(world.bank.arrived).toEqual([["pay-1.xml", "one"]])
    expect([...world.bank.files.keys()]).toEqual([])
  })

  it("is left alone if another file of its name was sent, it is too large, or its name cannot be used", async () => {
    await using world = await sftpWorld()
    await world.put("out", "pay-1.xml", "one")
    const carrier = world.carrier({ bytesMax: 10 })
    await carried(carrier)
    await world.put("out", "pay-1.xml", "two")
    await world.put("out", "large.xml", "x".repeat(11))
    await world.put("out", "a\nb.xml", "three")
    const reasons = { '"a\\nb.xml"': "its name cannot be used", '"large.xml"': "it has more than 10 bytes" }
    expect(await carried(carrier)).toMatchObject({
      sent: [],
      skipped: Object.entries({ ...reasons, '"pay-1.xml"': "another file of this name was sent" }).map(
        ([name, reason]) => ({ name, reason }),
      ),
    })
    expect(world.bank.arrived).toEqual([["pay-1.xml", "one"]])
  })

  it("waits while the server does not rename, and does not stop the others", async () => {
    await using world = await sftpWorld()
    await world.put("out", "pay-1.xml", "one")
    await world.put("out", "pay-2.xml", "two")
    const carrier = world.carrier()
    world.bank.files.set("/inbox/pay-1.xml", at("another file of the bank"))
    const refused = { name: '"pay-1.xml"', reason: "rename: the server answers with the status 4" }
    for (const sent of [["pay-2.xml"], []]) {
      expect(await carried(carrier)).toEqual({ ...nothing, sent, skipped: [refused] })
    }
    world.bank.files.delete("/inbox/pay-1.xml")
    expect(await carried(carrier)).toEqual({ ...nothing, sent: ["pay-1.xml"] })
    expect(world.bank.arrived).toEqual([
      ["pay-2.xml", "two"],
      ["pay-1.xml", "one"],
    ])
  })

  it("counts as sent if the server has it under its name, although it refuses to rename: it has copied it", async () => {
    await using world = await sftpWorld()
    await world.put("out", "pay-1.xml", "one")
    world.bank.refusesRename = true
    world.bank.files.set("/inbox/pay-1.xml", at("one"))
    expect(await carried(world.carrier())).toEqual({ ...nothing, sent: ["pay-1.xml"] })
    expect([...world.bank.files.keys()]).toEqual(["/inbox/pay-1.xml"])
  })

  it("does not count as sent while the server has another of its length under its name", async () => {
    await using world = await sftpWorld()
    await world.put("out", "pay-1.xml", "one")
    world.bank.refusesRename = true
    world.bank.files.set("/inbox/pay-1.xml", at("two"))
    expect(await carried(world.carrier())).toMatchObject({ sent: [], skipped: [{ name: '"pay-1.xml"' }] })
    expect(await world.read("out")).toEqual({ "pay-1.xml": "one" })
  })

  it("has no name at a server that has lost bytes of it", async () => {
    await using world = await sftpWorld()
    await world.put("out", "pay-1.xml", "one")
    world.bank.losesBytes = true
    const carrier = world.carrier()
    expect(await carried(carrier)).toMatchObject({ problem: "write: the server has 0 of 3 bytes" })
    expect(world.bank.arrived).toEqual([])
    world.bank.losesBytes = false
    expect(await carried(carrier)).toMatchObject({ sent: ["pay-1.xml"] })
    expect(world.bank.arrived).toEqual([["pay-1.xml", "one"]])
  })

  it("of as many bytes as are allowed is sent", async () => {
    await using world = await sftpWorld()
    await world.put("out", "pay-1.xml", "x".repeat(10))
    expect(await carried(world.carrier({ bytesMax: 10 }))).toMatchObject({ sent: ["pay-1.xml"], skipped: [] })
  })

  it("is sent although the server does not remove the rest of an upload that was cut", async () => {
    await using world = await sftpWorld()
    await world.put("out", "pay-1.xml", "one".repeat(20_000))
    world.bank.failAt(3, "cut before")
    const carrier = world.carrier()
    await carried(carrier)
    world.bank.refusesRemove = true
    expect(await carried(carrier)).toEqual({ ...nothing, sent: ["pay-1.xml"] })
  })

  it("leaves no half of it at the server after an upload that was cut", async () => {
    await using world = await sftpWorld()
    await world.put("out", "pay-1.xml", "one".repeat(20_000))
    world.bank.failAt(3, "cut before")
    const carrier = world.carrier()
    expect(await carried(carrier)).toMatchObject({ problem: "write: the connection was closed" })
    expect([...world.bank.files.keys()]).toEqual([expect.stringMatching(/^\/inbox\/\.pay-1\.xml\..*\.part$/u)])
    await carried(carrier)
    expect([...world.bank.files.keys()]).toEqual(["/inbox/pay-1.xml"])
  })
})

describe("a file of the bank", () => {
  it("is received when it has not changed since the cycle before, stays, and is not received again", async () => {
    await using world = await sftpWorld()
    world.bank.files.set("/outbox/camt.xml", at("half"))
    const carrier = world.carrier()
    expect(await carried(carrier)).toEqual({ ...nothing, waiting: ["camt.xml"] })
    world.bank.files.set("/outbox/camt.xml", at("half and half"))
    expect(await carried(carrier)).toEqual({ ...nothing, waiting: ["camt.xml"] })
    expect(await world.read("in")).toEqual({})
    expect(await carried(carrier)).toEqual({ ...nothing, received: ["camt.xml"] })
    const [[name = "", text] = []] = Object.entries(await world.read("in"))
    expect([name, text]).toEqual([expect.stringMatching(/^[0-9a-f]{12}-camt\.xml$/u), "half and half"])
    // The cycle of the bank's files takes it away.
    await mkdir(join(world.folder, "done"))
    await rename(join(world.folder, "in", name), join(world.folder, "done", name))
    for (const each of [carrier, carrier, world.carrier()]) expect(await carried(each)).toEqual(nothing)
    expect(await world.read("in")).toEqual({})
    expect(world.bank.files.has("/outbox/camt.xml")).toBe(true)
  })

  it("that was away for a cycle waits for another one", async () => {
    await using world = await sftpWorld()
    const carrier = world.carrier()
    for (const isThere of [true, false, true]) {
      if (isThere) world.bank.files.set("/outbox/camt.xml", at("half"))
      else world.bank.files.delete("/outbox/camt.xml")
      expect(await carried(carrier)).toEqual({ ...nothing, waiting: isThere ? ["camt.xml"] : [] })
    }
    expect(await carried(carrier)).toEqual({ ...nothing, received: ["camt.xml"] })
  })

  it("that changes while it is read is not visible", async () => {
    await using world = await sftpWorld()
    const file = at("x".repeat(40_000))
    world.bank.files.set("/outbox/camt.xml", file)
    const carrier = world.carrier()
    await carried(carrier)
    world.bank.onCall = (name) => {
      if (name === "read") file.bytes = Buffer.concat([file.bytes, Buffer.from("more")])
    }
    expect(await carried(carrier)).toEqual({ ...nothing, waiting: ["camt.xml"] })
    expect(await world.read("in")).toEqual({})
  })

  it("does not replace an earlier one of its name that was not taken yet", async () => {
    await using world = await sftpWorld()
    const carrier = world.carrier({ received: "delete" })
    for (const text of ["monday", "tuesday"]) {
      world.bank.files.set("/outbox/camt.xml", at(text))
      await carried(carrier)
      expect(await carried(carrier)).toEqual({ ...nothing, received: ["camt.xml"] })
    }
    expect(Object.values(await world.read("in")).toSorted()).toEqual(["monday", "tuesday"])
    expect(world.bank.files.size).toBe(0)
  })

  it("is moved away at the server if that is wanted, or stays if the bank has replaced it since", async () => {
    await using world = await sftpWorld()
    const carrier = world.carrier({ received: { moveTo: "/archive" } })
    world.bank.files.set("/outbox/camt.xml", at("monday"))
    await carried(carrier)
    await carried(carrier)
    expect([...world.bank.files.keys()]).toEqual([expect.stringMatching(/^\/archive\/[0-9a-f]{12}-camt\.xml$/u)])
    world.bank.files.set("/outbox/camt.xml", at("tuesday"))
    await carried(carrier)
    let opened = 0
    world.bank.onCall = (name) => {
      if (name === "opendir" && ++opened === 2) world.bank.files.set("/outbox/camt.xml", at("wednesday", 2_000))
    }
    expect(await carried(carrier)).toEqual({ ...nothing, received: ["camt.xml"] })
    expect(world.bank.files.get("/outbox/camt.xml")).toEqual(at("wednesday", 2_000))
    await carried(carrier)
    await carried(carrier)
    expect(Object.values(await world.read("in")).toSorted()).toEqual(["monday", "tuesday", "wednesday"])
  })

  it("with a name that leads elsewhere is left alone, as are folders and unfinished files", async () => {
    await using world = await sftpWorld()
    world.bank.listsAlso.push(
      "../../etc/passwd",
      "..",
      "/abs",
      "a\\b",
      "-rf",
      "a\u0000b",
      "a\nb",
      "x".repeat(300),
      ".x",
      "a.part",
      "folder/",
    )
    const carrier = world.carrier({ received: "delete" })
    await carried(carrier)
    const second = await carried(carrier)
    expect(second).toMatchObject({ received: [], waiting: [] })
    expect("skipped" in second && second.skipped).toHaveLength(6)
    expect(await world.read("in")).toEqual({})
    expect(await readdir(join(world.folder, "sftp", "receiving"))).toEqual([])
    expect(world.bank.calls).not.toContain("remove")
  })

  it("of more than the limit is not read", async () => {
    await using world = await sftpWorld()
    world.bank.files.set("/outbox/giant.xml", at("x".repeat(11)))
    const carrier = world.carrier({ bytesMax: 10 })
    await carried(carrier)
    const skipped = [{ name: '"giant.xml"', reason: "it has more than 10 bytes" }]
    expect(await carried(carrier)).toMatchObject({ received: [], skipped })
    expect(world.bank.calls).not.toContain("read")
  })
})

describe("the connection", () => {
  const fingerprints = [hostKey, otherHostKey].map((key) => fingerprintOfKey(key.public))

  it("is refused by us if the server has another host key, before anything secret is sent", async () => {
    await using world = await sftpWorld({ hostKeys: [otherHostKey.private] })
    await world.put("out", "pay-1.xml", "one")
    const problem = `connect: the server has another host key: ${fingerprints[1]}`
    expect(await carried(world.carrier())).toEqual({ bank: "euro", problem })
    expect([world.bank.signIns(), world.bank.calls]).toEqual([0, []])
    expect(await carried(world.carrier({ server: { hostKeys: fingerprints } }))).toMatchObject({ sent: ["pay-1.xml"] })
  })

  const password = "the password of the bank"
  const logged = async (given: string) => {
    await using world = await sftpWorld()
    const passwordFile = join(world.folder, "password")
    await writeFile(passwordFile, `${given}\n`)
    const lines: Array<string> = []
    const logger = Layer.merge(
      Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))]),
      Layer.succeed(References.MinimumLogLevel, "All"),
    )
    const { carry } = world.carrier({ server: { passwordFile } })
    return { result: await Effect.runPromise(Effect.provide(carry, logger)), text: lines.join("\n") }
  }

  it("uses the password of a file", async () => {
    expect((await logged(password)).result).toEqual(nothing)
  })

  it.each(["\n", "\r\n", ""])("opens an encrypted key with the passphrase of a file that ends with %j", async (end) => {
    await using world = await sftpWorld()
    const [keyFile, passphraseFile] = [join(world.folder, "locked"), join(world.folder, "passphrase")]
    await writeFile(keyFile, lockedKey.private)
    await writeFile(passphraseFile, `${passphrase}${end}`)
    expect(await carried(world.carrier({ server: { keyFile, passphraseFile } }))).toEqual(nothing)
    expect(world.bank.signIns()).toBe(1)
  })

  it("shows no secret when the server does not accept it", async () => {
    const { result, text } = await logged(`${password} of yesterday`)
    expect(result).toMatchObject({ problem: "connect: the server does not accept the credentials" })
    expect(text).toContain("does not accept")
    expect(text + JSON.stringify(result)).not.toContain(password)
  })

  it("ends at a server that accepts it and says nothing, and at one that is away", async () => {
    await using world = await sftpWorld()
    const silent = createServer((socket) => void socket.resume())
    silent.listen(0, "127.0.0.1")
    await once(silent, "listening")
    const address = silent.address()
    const port = typeof address === "object" ? (address?.port ?? 0) : 0
    const carrier = world.carrier({ server: { port, connectMillis: 100 } })
    expect(await carried(carrier)).toMatchObject({ problem: expect.stringMatching(/^connect: .*(?:answer)/u) })
    const closed = once(silent, "close")
    silent.close()
    await closed
    const away = { problem: "connect: the connection failed (ECONNREFUSED)" }
    expect(await carried(world.carrier({ server: { port } }))).toMatchObject(away)
  })

  it("is not opened without a file of its secret", async () => {
    await using world = await sftpWorld()
    const carrier = world.carrier({ server: { passwordFile: "/nowhere/password" } })
    expect(await carried(carrier)).toMatchObject({ problem: "connect: a file with a secret cannot be read (ENOENT)" })
    expect(world.bank.signIns()).toBe(0)
  })
})
