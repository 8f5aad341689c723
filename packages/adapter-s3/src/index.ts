/** The public names of the S3 adapter. */
export { isBucket, isEndpoint, isPrefix, isRegion, type S3Credentials, type S3VaultOptions } from "./S3Options.ts"
export { BucketUnusable, S3Vault } from "./S3Vault.ts"
