/**
 * `Verifier` at a provider that answers over HTTP.
 * Source: ports/Verifier.ts; D-527.
 */
import { PortUnavailable, type SubmittedDocument, type Verifier } from "@countersign/core/ports"
import { Effect, Stream } from "effect"
import type { PortClient } from "../call/PortClient.ts"
import { verifierOperations as operations } from "../contract/VerifierOperations.ts"

/** The bytes that one request carries. The newest documents come first; what is beyond is sent without its bytes. */
const contentBytesMax = 32 * 1024 * 1024

const vaultFails = new PortUnavailable({
  operation: operations.verifyCustomer.path,
  cause: "the vault of the documents cannot be read",
})

/** Reads the bytes of a document; one whose bytes were erased is sent without them. */
const withContent = ({ document, documentId, read }: SubmittedDocument) =>
  Stream.runCollect(read()).pipe(
    Effect.map((pieces) => ({ documentId, document, content: Buffer.concat(pieces).toString("base64") })),
    Effect.catchTags({
      BytesMissing: () => Effect.succeed({ documentId, document }),
      VaultUnavailable: () => Effect.die(vaultFails),
    }),
  )

const withContents = (documents: ReadonlyArray<SubmittedDocument>) => {
  let left = contentBytesMax
  return Effect.forEach(documents, (submitted) => {
    const { document, documentId } = submitted
    left -= document.size
    return left < 0 ? Effect.succeed({ documentId, document }) : withContent(submitted)
  })
}

export const verifierOverHttp = ({ ask, outcomeOf }: PortClient): Verifier["Service"] => ({
  verifyBeneficiary: (check) => outcomeOf(operations.verifyBeneficiary, check),
  checkCustomer: (check) => Effect.map(ask(operations.checkCustomer, check), ({ result }) => result),
  checkOwner: (check) => Effect.map(ask(operations.checkOwner, check), ({ result }) => result),
  verifyCustomer: ({ customer, customerId, documents, owners }) =>
    withContents(documents).pipe(
      Effect.flatMap((sent) => ask(operations.verifyCustomer, { customerId, customer, owners, documents: sent })),
      Effect.map(({ result }) => result),
    ),
  kycLink: ({ customerId, redirectUri }) =>
    Effect.map(
      ask(operations.kycLink, { customerId, ...(redirectUri === undefined ? {} : { redirectUri }) }),
      ({ result }) => result,
    ),
})
