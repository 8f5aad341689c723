/**
 * The rules of where documents are stored.
 * Source: D-421.
 */
import { isLoopback } from "@countersign/adapter-http"
import { isBucket, isEndpoint } from "@countersign/adapter-s3/options"
import { Option } from "effect"
import { documentsValues } from "./DocumentsLocation.ts"
import type { OptionRule } from "./OptionRule.ts"
import { noDatabase } from "./ServerStore.ts"

/** What a bucket cannot do without. */
const required = ["s3Endpoint", "s3Region", "s3AccessKeyId", "s3SecretAccessKey"] as const
const ofBucket = [...required, "s3Prefix", "s3Addressing", "s3Encryption"] as const

/** `--s3-access-key-id` of `s3AccessKeyId`. */
const flagOf = (name: string): string => `--${name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`

export const documentsRules: ReadonlyArray<OptionRule> = [
  [
    "usage",
    ["documents", "store"],
    ({ documents, location, sources }) =>
      location !== undefined && documents === undefined ? `${sources.documents} ${documentsValues}` : undefined,
  ],
  [
    "usage",
    ["documents", "store"],
    ({ documents, location }) =>
      documents?._tag === "Database" && location?._tag === "Memory" ? noDatabase : undefined,
  ],
  [
    "usage",
    ["documents", "store"],
    ({ documents, location }) =>
      documents?._tag === "Memory" && location?._tag !== "Memory"
        ? "--documents memory needs --store memory: the records of documents would outlive their bytes"
        : undefined,
  ],
  [
    "usage",
    ["documents", "store", "documentsEncryption", "walletSecret"],
    ({ documents, location, options: { documentsEncryption, walletSecret } }) =>
      Option.exists(documentsEncryption, (encryption) => encryption !== "off") &&
      documents !== undefined &&
      documents._tag !== "Memory" &&
      location?._tag !== "Folder" &&
      Option.isNone(walletSecret)
        ? "--documents-encryption needs --wallet-secret: with one that is generated, the documents are lost with the process"
        : undefined,
  ],
  [
    "usage",
    ["documents"],
    ({ documents }) =>
      documents?._tag === "Bucket" && !isBucket(documents.bucket)
        ? "--documents s3:BUCKET takes 3 to 63 lower-case letters, digits, dots and hyphens"
        : undefined,
  ],
  [
    "usage",
    ["s3Endpoint"],
    ({ options: { s3Endpoint }, sources }) =>
      // The message does not repeat the value, which may contain a password.
      Option.exists(s3Endpoint, (endpoint) => !isEndpoint(endpoint))
        ? `${sources.s3Endpoint} takes an http or https address without credentials, query and fragment`
        : undefined,
  ],
  [
    "usage",
    ["documents", ...required],
    ({ documents, options }) => {
      const missing = required.filter((name) => Option.isNone<unknown>(options[name]))
      return documents?._tag === "Bucket" && missing.length > 0
        ? `--documents s3:BUCKET needs ${missing.map(flagOf).join(", ")}`
        : undefined
    },
  ],
  [
    "usage",
    ["documents", ...ofBucket],
    ({ documents, options }) => {
      const unused = ofBucket.filter((name) => Option.isSome<unknown>(options[name]))
      return documents !== undefined && documents._tag !== "Bucket" && unused.length > 0
        ? `${unused.map(flagOf).join(", ")}: only for --documents s3:BUCKET`
        : undefined
    },
  ],
  [
    "unsafe",
    ["mode", "documents", "s3Endpoint"],
    ({ documents, options: { mode, s3Endpoint } }) => {
      const endpoint = Option.getOrElse(s3Endpoint, () => "")
      if (mode !== "live" || documents?._tag !== "Bucket" || !isEndpoint(endpoint)) return undefined
      const { hostname, protocol } = new URL(endpoint)
      return protocol === "http:" && !isLoopback(hostname)
        ? "live mode needs an https address in --s3-endpoint: documents would cross the network in the clear"
        : undefined
    },
  ],
]
