/** The rules of where documents are stored: each with what breaks it and what just keeps it. Source: D-421. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { checkOptions } from "../../../packages/cli/src/OptionCheck.ts"
import type { ServeOptions } from "../../../packages/cli/src/ServeFlags.ts"
import { optionsWith, secret, some } from "./ServeOptionsOf.ts"

type Given = Partial<ServeOptions>
type Names = ReadonlyArray<keyof ServeOptions>

const problemsOf = async (given: Given, sources = {}) =>
  (await Effect.runPromise(checkOptions(optionsWith(given, sources)))).problems

const memory: Given = { store: "memory" }
const server: Given = { store: "postgres://pay@db.example/pay" }
const bucket: Given = {
  documents: some("s3:papers"),
  s3Endpoint: some("https://s3.example.com"),
  s3Region: some("eu-west-1"),
  s3AccessKeyId: some("key"),
  s3SecretAccessKey: secret("its secret"),
}
const all: Given = {
  ...bucket,
  s3Prefix: some("a/"),
  s3Addressing: some("host"),
  s3Encryption: some("AES256"),
}
/** A start in live mode without a problem of other options. */
const live: Given = {
  ...server,
  mode: "live",
  ports: some("ports.ts"),
  walletSecret: secret("abcdefghijklmnopqrstuvwxyz0123456789"),
}
const none = optionsWith({}).options
const names = ["s3Endpoint", "s3Region", "s3AccessKeyId", "s3SecretAccessKey"] as const

describe("documents", () => {
  it.each<readonly [what: string, given: Given]>([
    ["in memory with their records", { ...memory, documents: some("memory") }],
    ["in the database of a folder", { documents: some("postgres") }],
    ["in the database of a server", { ...server, documents: some("postgres") }],
    ["in a folder with records in memory", { ...memory, documents: some("folder:papers") }],
    ["in a bucket", bucket],
    ["in a bucket with every option", all],
    ["in a bucket with records in memory", { ...memory, ...bucket }],
    ["in memory, encrypted", { ...memory, documentsEncryption: some("on") }],
    ["in a folder's store, encrypted", { documentsEncryption: some("on") }],
    ["on a server, without encryption", { ...server, documentsEncryption: some("off") }],
    ["on a server, encrypted", { ...server, documentsEncryption: some("on"), walletSecret: secret("a") }],
    ["in a bucket over http in the sandbox", { ...bucket, s3Endpoint: some("http://s3.example.com") }],
    ["in a bucket of this machine in live mode", { ...live, ...bucket, s3Endpoint: some("http://127.0.0.1:9000") }],
    ["in a bucket over https in live mode", { ...live, ...bucket }],
  ])("may be %s", async (_what, given) => {
    expect(await problemsOf(given)).toEqual([])
  })

  const values = "--documents takes memory, folder:PATH, postgres or s3:BUCKET"
  const bucketName = "--documents s3:BUCKET takes 3 to 63 lower-case letters, digits, dots and hyphens"
  const endpoint = "--s3-endpoint takes an http or https address without credentials, query and fragment"
  const encryption =
    "--documents-encryption needs --wallet-secret: with one that is generated, the documents are lost with the process"
  const outlived = "--documents memory needs --store memory: the records of documents would outlive their bytes"
  const ofStore: Names = ["documents", "store"]
  const encrypted: Names = ["documents", "store", "documentsEncryption", "walletSecret"]

  it.each<readonly [message: string, concerns: Names, given: Given]>([
    [values, ofStore, { documents: some("elsewhere") }],
    [values, ofStore, { documents: some("folder:") }],
    [
      "--documents postgres needs a database: --store pglite:FOLDER or postgres://...",
      ofStore,
      { ...memory, documents: some("postgres") },
    ],
    [outlived, ofStore, { documents: some("memory") }],
    [outlived, ofStore, { ...server, documents: some("memory") }],
    [encryption, encrypted, { ...server, documentsEncryption: some("on") }],
    [encryption, encrypted, { ...server, documentsEncryption: some("new") }],
    [encryption, encrypted, { ...memory, documents: some("folder:papers"), documentsEncryption: some("on") }],
    [bucketName, ["documents"], { ...bucket, documents: some("s3:ab") }],
    [bucketName, ["documents"], { ...bucket, documents: some("s3:Papers") }],
    [bucketName, ["documents"], { ...bucket, documents: some("s3:") }],
    [endpoint, ["s3Endpoint"], { ...bucket, s3Endpoint: some("https://a:its-password@s3.example.com") }],
    [endpoint, ["s3Endpoint"], { ...live, ...bucket, s3Endpoint: some("ftp://s3.example.com") }],
  ])("are refused with: %s", async (message, concerns, given) => {
    expect(await problemsOf(given)).toEqual([{ reason: "usage", concerns, message }])
  })

  it.each([
    ["s3Endpoint", "--s3-endpoint"],
    ["s3Region", "--s3-region"],
    ["s3AccessKeyId", "--s3-access-key-id"],
    ["s3SecretAccessKey", "--s3-secret-access-key"],
  ] as const)("in a bucket need %s", async (name, flag) => {
    const given = { ...bucket, [name]: none[name] }
    expect(await problemsOf(given)).toEqual([
      { reason: "usage", concerns: ["documents", ...names], message: `--documents s3:BUCKET needs ${flag}` },
    ])
  })

  it("in a bucket name all that is missing, in one order", async () => {
    expect((await problemsOf({ documents: some("s3:papers") })).map(({ message }) => message)).toEqual([
      "--documents s3:BUCKET needs --s3-endpoint, --s3-region, --s3-access-key-id, --s3-secret-access-key",
    ])
  })

  it.each([
    ["s3Endpoint", "--s3-endpoint"],
    ["s3Region", "--s3-region"],
    ["s3AccessKeyId", "--s3-access-key-id"],
    ["s3SecretAccessKey", "--s3-secret-access-key"],
    ["s3Prefix", "--s3-prefix"],
    ["s3Addressing", "--s3-addressing"],
    ["s3Encryption", "--s3-encryption"],
  ] as const)("elsewhere do not take %s", async (name, flag) => {
    for (const place of [{}, { documents: some("folder:papers") }, { ...memory, documents: some("memory") }]) {
      expect(await problemsOf({ ...place, [name]: all[name] })).toEqual([
        {
          reason: "usage",
          concerns: ["documents", ...names, "s3Prefix", "s3Addressing", "s3Encryption"],
          message: `${flag}: only for --documents s3:BUCKET`,
        },
      ])
    }
  })

  it("elsewhere name all options of a bucket that are given", async () => {
    expect(
      (await problemsOf({ s3Region: some("a"), s3Addressing: some("path") })).map(({ message }) => message),
    ).toEqual(["--s3-region, --s3-addressing: only for --documents s3:BUCKET"])
  })

  it("in live mode do not cross the network in the clear", async () => {
    expect(await problemsOf({ ...live, ...bucket, s3Endpoint: some("http://s3.example.com") })).toEqual([
      {
        reason: "unsafe",
        concerns: ["mode", "documents", "s3Endpoint"],
        message: "live mode needs an https address in --s3-endpoint: documents would cross the network in the clear",
      },
    ])
  })

  it("have no problem of their own where the store is not valid", async () => {
    expect((await problemsOf({ store: "x" })).map(({ concerns }) => concerns)).toEqual([["store"]])
  })

  it("are named as they were given", async () => {
    const sources = { documents: "COUNTERSIGN_DOCUMENTS", s3Endpoint: "COUNTERSIGN_S3_ENDPOINT" }
    const messages = [
      ...(await problemsOf({ documents: some("x") }, sources)),
      ...(await problemsOf({ ...bucket, s3Endpoint: some("x") }, sources)),
    ].map(({ message }) => message.split(" takes")[0])
    expect(messages).toEqual(["COUNTERSIGN_DOCUMENTS", "COUNTERSIGN_S3_ENDPOINT"])
  })
})
