/** The checks of the vault's options, for a program that loads the vault only where documents are in a bucket. Source: D-506. */
export { isBucket, isEndpoint, isPrefix, isRegion } from "../S3Options.ts"
