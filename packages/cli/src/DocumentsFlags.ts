/** The options of where documents are stored. Source: D-421. */
import { type DocumentEncryption, documentEncryptions } from "@countersign/adapter-http"
import { isPrefix, isRegion } from "@countersign/adapter-s3/options"
import type { Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { choice, secret, text } from "./FlagKinds.ts"

export interface DocumentsOptions {
  readonly documents: Option.Option<string>
  readonly documentsEncryption: Option.Option<DocumentEncryption>
  readonly s3Endpoint: Option.Option<string>
  readonly s3Region: Option.Option<string>
  readonly s3AccessKeyId: Option.Option<string>
  readonly s3SecretAccessKey: Option.Option<Redacted.Redacted>
  readonly s3Prefix: Option.Option<string>
  readonly s3Addressing: Option.Option<"path" | "host">
  readonly s3Encryption: Option.Option<string>
}

export const documentsFlags = {
  documents: text(
    "documents",
    "DOCUMENTS",
    "Where the bytes of documents are stored: memory, folder:PATH, postgres (the database of --store), or s3:BUCKET; when absent, memory for --store memory, and postgres otherwise",
  ).pipe(Flag.optional),
  documentsEncryption: choice(
    "documents-encryption",
    documentEncryptions,
    "DOCUMENTS_ENCRYPTION",
    "Whether documents are encrypted with keys of the wallet secret before they are stored; new also reads those that were stored without; on when absent in live mode",
  ).pipe(Flag.optional),
  s3Endpoint: text(
    "s3-endpoint",
    "S3_ENDPOINT",
    "The address of the service with the bucket of --documents s3:BUCKET, such as https://s3.example.com",
  ).pipe(Flag.optional),
  s3Region: text(
    "s3-region",
    "S3_REGION",
    "The region of the bucket; services without regions take us-east-1 or auto",
  ).pipe(
    Flag.filter(isRegion, () => "letters, digits and hyphens"),
    Flag.optional,
  ),
  s3AccessKeyId: text("s3-access-key-id", "S3_ACCESS_KEY_ID", "The access key for the bucket").pipe(
    Flag.filter(
      (value) => /^[\w-]+$/u.test(value),
      () => "letters, digits, hyphens and underscores",
    ),
    Flag.optional,
  ),
  s3SecretAccessKey: secret("s3-secret-access-key", "S3_SECRET_ACCESS_KEY", "The secret of the access key").pipe(
    Flag.optional,
  ),
  s3Prefix: text("s3-prefix", "S3_PREFIX", "The text before each key in the bucket, such as documents/").pipe(
    Flag.filter(isPrefix, () => "letters, digits, dots, hyphens, underscores, and slashes between them"),
    Flag.optional,
  ),
  s3Addressing: choice(
    "s3-addressing",
    ["path", "host"],
    "S3_ADDRESSING",
    "Whether addresses name the bucket in their path, or as the first label of the host",
  ).pipe(Flag.optional),
  s3Encryption: text(
    "s3-encryption",
    "S3_ENCRYPTION",
    "How the service encrypts the documents: AES256, or kms:KEY; when absent, as the bucket is configured",
  ).pipe(
    Flag.filter(
      (value) => /^(?:AES256|kms:[\w:/.-]+)$/u.test(value),
      () => "AES256 or kms:KEY",
    ),
    Flag.optional,
  ),
}
