/** The public names of the S3 adapter. */
export type { S3Credentials, S3VaultOptions } from "./S3Options.ts"
export { BucketUnusable, S3Vault } from "./S3Vault.ts"
