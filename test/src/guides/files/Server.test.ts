/** The guide's transport: a payment file reaches the bank's server, and its answer our folder. */
import { join } from "node:path"
import { expect, it } from "vitest"
import { hostKey } from "../../adapter-sftp/BankServer.ts"
import { carried, fingerprintOfKey, sftpWorld } from "../../adapter-sftp/SftpWorld.ts"
import { euroServer } from "./OurServer.ts"

it("sends a payment file and receives the answer, which moves to the archive", async () => {
  await using world = await sftpWorld()
  await world.put("out", "pain.xml", "pay")
  world.bank.files.set("/outbox/pain002.xml", { bytes: Buffer.from("accepted"), modifiedAt: 1_000 })
  const carrier = euroServer(world.folder, {
    host: "127.0.0.1",
    port: world.bank.port,
    hostKeys: [fingerprintOfKey(hostKey.public)],
    keyFile: join(world.folder, "../key"),
  })
  expect(await carried(carrier)).toMatchObject({ sent: ["pain.xml"], waiting: ["pain002.xml"] })
  expect(await carried(carrier)).toMatchObject({ sent: [], received: ["pain002.xml"] })
  expect(world.bank.arrived).toEqual([["pain.xml", "pay"]])
  expect(Object.values(await world.read("in"))).toEqual(["accepted"])
  expect([...world.bank.files.keys()]).toEqual(["/inbox/pain.xml", expect.stringMatching(/^\/outbox\/archive\//u)])
})
