/**
 * Reads the TXT record that proves a UMA domain from the DNS.
 * Source: D-348.
 */
import { Resolver } from "node:dns/promises"
import { type DomainAnswer, DomainOwnership } from "@countersign/core/ports"
import { Effect, Layer } from "effect"

/** Returns the TXT records of a name, each in its parts. Rejects as `node:dns` does. */
export type TxtResolver = (name: string) => Promise<ReadonlyArray<ReadonlyArray<string>>>

/** Codes of a name server's answer that the record does not exist. */
const absent: ReadonlyArray<unknown> = ["ENOTFOUND", "ENODATA", "ENOTIMP", "EBADNAME"]

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined

const systemResolver: TxtResolver = (name) => new Resolver({ timeout: 2_000, tries: 2 }).resolveTxt(name)

/**
 * Provides `DomainOwnership`, which looks for the exact TXT record. A name server that fails gives `UNKNOWN`. By default it has two
 * seconds, and a second try.
 */
export const layer = (resolve: TxtResolver = systemResolver) =>
  Layer.succeed(DomainOwnership, {
    check: ({ record }) =>
      Effect.promise(
        (): Promise<DomainAnswer> =>
          resolve(record.name).then(
            (records) => (records.some((parts) => parts.join("") === record.value) ? "PROVEN" : "NOT_PROVEN"),
            (error: unknown) => (absent.includes(codeOf(error)) ? "NOT_PROVEN" : "UNKNOWN"),
          ),
      ),
  })
