/** The vault of the documents, from the options. Source: D-421. */
import { type DocumentEncryption, FolderVault } from "@countersign/adapter-http"
import { MemoryVault } from "@countersign/adapter-memory"
import type { S3VaultOptions } from "@countersign/adapter-s3"
import { DocumentVault } from "@countersign/core/ports"
import { Effect, Layer, Match, Option, Redacted } from "effect"
import { type CommandError, storeError } from "./CommandError.ts"
import type { DocumentsOptions } from "./DocumentsFlags.ts"
import type { DocumentsLocation } from "./DocumentsLocation.ts"
import { ServerStore } from "./ServerStore.ts"

/** The adapter of buckets, loaded where documents are in one. */
const s3 = Effect.promise(() => import("@countersign/adapter-s3"))

const kmsPrefix = "kms:"

const bucketEncryptionOf = (option: string): NonNullable<S3VaultOptions["encryption"]> =>
  option.startsWith(kmsPrefix) ? { kmsKeyId: option.slice(kmsPrefix.length) } : "AES256"

/** The options of the bucket. Those that it needs were checked before. */
const bucketOptions = (bucket: string, options: DocumentsOptions): S3VaultOptions => {
  const textOf = (option: Option.Option<string>) => Option.getOrElse(option, () => "")
  const { s3Addressing, s3Encryption, s3Prefix } = options
  return {
    bucket,
    endpoint: textOf(options.s3Endpoint),
    region: textOf(options.s3Region),
    credentials: {
      accessKeyId: textOf(options.s3AccessKeyId),
      secretAccessKey: Option.getOrElse(options.s3SecretAccessKey, () => Redacted.make("")),
    },
    ...(Option.isSome(s3Prefix) ? { prefix: s3Prefix.value } : {}),
    ...(Option.isSome(s3Addressing) ? { addressing: s3Addressing.value } : {}),
    ...(Option.isSome(s3Encryption) ? { encryption: bucketEncryptionOf(s3Encryption.value) } : {}),
  }
}

/** Whether documents are encrypted before the vault gets them. */
export const encryptionOf = ({
  documentsEncryption,
  mode,
}: Pick<DocumentsOptions, "documentsEncryption"> & { readonly mode: "sandbox" | "live" }): DocumentEncryption =>
  Option.getOrElse(documentsEncryption, () => (mode === "live" ? "on" : "off"))

const folderError = (folder: string, cause: unknown) =>
  storeError(`the folder ${folder} of --documents cannot be used: ${cause instanceof Error ? cause.message : ""}`)

const failing = (error: CommandError): Layer.Layer<DocumentVault, CommandError> =>
  Layer.effect(DocumentVault, Effect.fail(error))

const ofStore = Layer.effect(
  DocumentVault,
  ServerStore.use(({ vault }) => vault),
)

export const layer = (
  location: DocumentsLocation,
  options: DocumentsOptions,
): Layer.Layer<DocumentVault, CommandError, ServerStore> =>
  Match.valueTags(location, {
    Memory: (): Layer.Layer<DocumentVault, CommandError, ServerStore> => MemoryVault.layer,
    Folder: ({ folder }) =>
      Layer.catchTag(FolderVault.layer(folder), "VaultUnavailable", ({ cause }) => failing(folderError(folder, cause))),
    Database: () => ofStore,
    Bucket: ({ bucket }) =>
      Layer.catchTag(
        Layer.unwrap(Effect.map(s3, ({ S3Vault }) => S3Vault.layer(bucketOptions(bucket, options)))),
        "BucketUnusable",
        ({ message }) => failing(storeError(message)),
      ),
  })
