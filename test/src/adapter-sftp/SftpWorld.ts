/** A bank's server and our folder, with one file on its way in each direction. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SftpOptions, SftpServer } from "@countersign/adapter-sftp"
import { Effect, Logger } from "effect"
import ssh2 from "ssh2"
import { type LocalFiles, localFiles } from "../../../packages/adapter-sftp/src/folder/LocalFiles.ts"
import { carrierOver, type SftpCarrier } from "../../../packages/adapter-sftp/src/SftpCarrier.ts"
import { fingerprintOf } from "../../../packages/adapter-sftp/src/server/Connection.ts"
import { type BankServer, bankServer, clientKey, hostKey } from "./BankServer.ts"

export const fingerprintOfKey = (publicKey: string): string => {
  const parsed = ssh2.utils.parseKey(publicKey)
  if (parsed instanceof Error) throw parsed
  return fingerprintOf(parsed.getPublicSSH())
}

type Changes = Partial<Omit<SftpOptions, "server">> & { readonly server?: Partial<SftpServer> }

export interface SftpWorld extends AsyncDisposable {
  readonly bank: BankServer
  readonly folder: string
  /** The carrier of a process that starts now. */
  readonly carrier: (changes?: Changes, local?: (files: LocalFiles) => LocalFiles) => SftpCarrier
  readonly put: (place: "in" | "out", name: string, content: string) => Promise<void>
  /** The files of a folder of ours and their texts. */
  readonly read: (place: string) => Promise<Readonly<Record<string, string>>>
}

export const sftpWorld = async (config?: Parameters<typeof bankServer>[0]): Promise<SftpWorld> => {
  const bank = await bankServer(config)
  const root = await mkdtemp(join(tmpdir(), "countersign-sftp-"))
  const folder = join(root, "bank")
  const keyFile = join(root, "key")
  await writeFile(keyFile, clientKey.private)
  for (const place of ["in", "out"]) await mkdir(join(folder, place), { recursive: true })
  return {
    bank,
    folder,
    carrier: ({ server, ...changes } = {}, local = (files) => files) =>
      carrierOver(
        {
          name: "euro",
          folder,
          remoteOut: "/inbox",
          remoteIn: "/outbox",
          ...changes,
          server: {
            host: "127.0.0.1",
            port: bank.port,
            username: "us",
            hostKeys: [fingerprintOfKey(hostKey.public)],
            ...(server?.passwordFile === undefined ? { keyFile } : {}),
            ...server,
          },
        },
        local(localFiles(folder)),
      ),
    put: (place, name, content) => writeFile(join(folder, place, name), content),
    read: async (place) => {
      const names = await readdir(join(folder, place))
      return Object.fromEntries(
        await Promise.all(
          names.map(async (name) => [name, await readFile(join(folder, place, name), "utf8")] as const),
        ),
      )
    },
    [Symbol.asyncDispose]: async () => {
      await bank[Symbol.asyncDispose]()
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** Carries once, without what it logs. */
export const carried = ({ carry }: SftpCarrier) => Effect.runPromise(Effect.provide(carry, Logger.layer([])))
