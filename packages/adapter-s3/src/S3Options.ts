/**
 * Where the vault finds its bucket, and how it signs in.
 * Source: D-420.
 */
import type { Effect, Redacted } from "effect"

/** The key that signs the requests of the vault. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  /** Of temporary credentials. */
  readonly sessionToken?: Redacted.Redacted
}

/** The bucket of a vault, and how its requests are made. Source: D-420. */
export interface S3VaultOptions {
  /** The address of the service without the bucket, such as `https://s3.example.com`. */
  readonly endpoint: string
  readonly bucket: string
  /** The region of the bucket, which every signature names. Services without regions take `us-east-1` or `auto`. */
  readonly region: string
  /** An effect is run for each request, so that it may renew credentials that expire. */
  readonly credentials: S3Credentials | Effect.Effect<S3Credentials, unknown>
  /** Whether addresses name the bucket in their path, which is the default, or as the first label of the host. */
  readonly addressing?: "path" | "host"
  /** The text before each key, such as `documents/`. */
  readonly prefix?: string
  /** How the service encrypts the bytes: with its own keys, or with one of its key management. Default: as the bucket is configured. */
  readonly encryption?: "AES256" | { readonly kmsKeyId: string }
  /** Longest time of one request, and between two pieces of an answer (milliseconds). Default: 30 seconds. */
  readonly timeoutMillis?: number
}

/** Whether a text is an http or https address without credentials, query and fragment. */
export const isEndpoint = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { hash, password, protocol, search, username } = new URL(text)
  return /^https?:$/u.test(protocol) && [hash, password, search, username].every((part) => part === "")
}

/** Whether a text has 3 to 63 lower-case letters, digits, dots and hyphens, with a letter or digit at both ends. */
export const isBucket = (text: string): boolean => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/u.test(text)

/** Whether a text can precede keys: path segments, the last of which may end anywhere, and none of which begins with a dot. */
export const isPrefix = (text: string): boolean => /^(?:[\w-][\w.-]*\/)*(?:[\w-][\w.-]*)?$/u.test(text)

/** Whether a text has only letters, digits, underscores and hyphens. */
export const isRegion = (text: string): boolean => /^[\w-]+$/u.test(text)

/** Returns what is wrong with options; it never contains a secret. */
export const problemOf = ({ bucket, endpoint, prefix = "", region }: S3VaultOptions): string | undefined => {
  if (!isEndpoint(endpoint))
    return "`endpoint` must be an http or https address without credentials, query and fragment."
  if (!isBucket(bucket)) return "`bucket` must have 3 to 63 lower-case letters, digits, dots and hyphens."
  if (!isPrefix(prefix))
    return "`prefix` must consist of letters, digits, dots, hyphens, underscores and slashes between them."
  return isRegion(region) ? undefined : "`region` must consist of letters, digits and hyphens."
}

/** The address of the bucket, without a slash at its end. */
export const bucketUrl = ({ addressing = "path", bucket, endpoint }: S3VaultOptions): string => {
  const url = new URL(endpoint)
  const path = url.pathname.replace(/\/+$/u, "")
  return addressing === "host" ? `${url.protocol}//${bucket}.${url.host}${path}` : `${url.origin}${path}/${bucket}`
}
