/**
 * Documents: evidence for verifications, uploaded for a customer or one of its beneficial owners.
 * Source: wire contract areas 1.2; D-377, D-378.
 */
import { Context, Effect, Layer, Result } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  type DocumentLoaded,
  deleteDocument,
  isInReview,
  replaceDocument,
  type UploadedFile,
  uploadDocument,
} from "../../decision/document/DocumentDecision.ts"
import type { FieldProblem } from "../../foundation/errors/FieldProblems.ts"
import { invalidInput, notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { isId } from "../../foundation/ids/IdTypes.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import type { DocumentRefusal } from "../../model/document/DocumentRefusals.ts"
import {
  type DocumentReplaceRequest,
  type DocumentResource,
  type DocumentUploadRequest,
  toDocument,
} from "../../model/document/DocumentResource.ts"
import { fileTypeOf, typeBytes } from "../../model/document/FileContent.ts"
import type { FileBytes, IncomingForm, ReceivedForm } from "../../operation/IncomingForm.ts"
import { type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import { type DocumentCheck, DocumentChecks } from "../../ports/DocumentChecks.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadCustomer } from "../customer/CustomerReads.ts"
import { loadOpenVerification } from "../customer/OpenVerification.ts"
import { startOf } from "../file/FileStart.ts"
import { Files } from "../file/Files.ts"

type Answer<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

export interface DocumentsQuery extends ListQuery {
  readonly documentHolder?: string
}

const documentNotFound = notFound("document")
const ownerNotFound = notFound("beneficial owner")

/** Loads the customer of a holder, and the holder if it is an owner. Errors: `USER_NOT_FOUND`, `REFERENCE_NOT_FOUND`. */
const loadHolder = Effect.fnUntraced(function* (read: Operation.Read, holder: string) {
  if (isId("Customer", holder)) return { ...(yield* loadCustomer(read, holder)), owner: undefined }
  const owner = yield* readExisting(read, "BeneficialOwner", holder, ownerNotFound)
  const customer = yield* readExisting(
    read,
    "Customer",
    owner.customerId ?? "",
    ownerNotFound,
    ({ data }) => !data.isDeleted,
  )
  return { customer, owner }
})

/** Loads a document that is not deleted. */
const loadDocument = <E>(read: Operation.Read<E>, documentId: string) =>
  readExisting(read, "Document", documentId, documentNotFound, ({ data }) => data.status !== "DELETED")

/** What arrived as the file of a form. Only a document's bytes are stored. */
type Arrived =
  | { readonly _tag: "Empty" }
  | { readonly _tag: "Unsuitable" }
  | { readonly _tag: "File"; readonly uploaded: UploadedFile }

type Form<T> = ReceivedForm<T, Arrived>

const uploadedOf = ({ file }: Form<unknown>): UploadedFile | undefined =>
  file?.received._tag === "File" ? file.received.uploaded : undefined

/** The problem of a file that is absent or empty; another one is no problem of a field. */
const fileProblems = ({ file }: Form<unknown>): ReadonlyArray<FieldProblem> => {
  if (file === undefined) return [{ field: "file", message: "is required", constraint: { required: true } }]
  return file.received._tag === "Empty"
    ? [{ field: "file", message: "must not be empty", constraint: { minLength: 1 } }]
    : []
}

/** Returns the request of a form. Errors: `INVALID_INPUT` with every problem of its parts. */
const requestOf = <T>(form: Form<T>): Effect.Effect<T, ServiceError> => {
  const ofFile = fileProblems(form)
  if (Result.isSuccess(form.texts) && ofFile.length === 0) return Effect.succeed(form.texts.success)
  const ofTexts = Result.isFailure(form.texts) ? form.texts.failure : []
  return Effect.fail(new ServiceError(invalidInput([...ofTexts, ...ofFile])))
}

const isNew = ({ replayed }: Operation.Answered<unknown>): boolean => !replayed

export class Documents extends Context.Service<
  Documents,
  {
    /** Receives and stores a document. Errors: those of the form, of the provider's check, `USER_NOT_FOUND`, `REFERENCE_NOT_FOUND`. */
    readonly upload: (
      form: IncomingForm<DocumentUploadRequest>,
      key?: Omit<Operation.Keyed, "body">,
    ) => Answer<Operation.Answered<DocumentResource>>
    readonly get: (documentId: string) => Answer<DocumentResource>
    readonly list: (query: DocumentsQuery) => Answer<Page<DocumentResource>>
    /** Replaces a document as a whole. */
    readonly replace: (
      documentId: string,
      form: IncomingForm<DocumentReplaceRequest>,
    ) => Answer<Operation.Answered<DocumentResource>>
    /** Errors: `CONFLICT` for a submitted document. */
    readonly remove: (documentId: string) => Answer<Operation.Answered<null>>
  }
>()("@countersign/core/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const store = yield* Store
      const files = yield* Files
      const checks = yield* DocumentChecks
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      /** Stores the bytes of a file that begins as a document does. */
      const receive = (bytes: FileBytes) =>
        Effect.gen(function* () {
          const file = yield* startOf(bytes, typeBytes)
          const type = fileTypeOf(file.start)
          if (file.start.byteLength === 0) return { _tag: "Empty" } satisfies Arrived
          if (type === undefined) return { _tag: "Unsuitable" } satisfies Arrived
          return { _tag: "File", uploaded: { ...(yield* files.receive(file.bytes)), type } } satisfies Arrived
        }).pipe(Effect.scoped)

      /** Asks the provider about a document whose bytes are stored. */
      const refusalOf = (
        customerId: string,
        document: DocumentUploadRequest,
        uploaded: UploadedFile | undefined,
      ): Effect.Effect<{ readonly refusal: DocumentRefusal | undefined }> => {
        if (uploaded === undefined) return Effect.succeed({ refusal: undefined })
        const { file, sha256, size, type } = uploaded
        const check: DocumentCheck = {
          customerId,
          document: { ...document, size, sha256 },
          fileType: type,
          read: () => files.read(file.id),
        }
        return Effect.map(checks.check(check), (refusal) => ({ refusal }))
      }

      const upload = Effect.fnUntraced(
        function* (incoming: IncomingForm<DocumentUploadRequest>, key?: Omit<Operation.Keyed, "body">) {
          const form = yield* incoming(receive)
          const uploaded = uploadedOf(form)
          const stored = Effect.flatMap(requestOf(form), (request) =>
            Operation.run({
              name: "Documents.upload",
              keyed: key && { ...key, body: { parts: form.parts } },
              load: (read) => loadHolder(read, request.documentHolder),
              ask: ({ customer }) => refusalOf(customer.id, request, uploaded),
              decide: uploadDocument(request, form.file?.name, uploaded),
            }),
          )
          return yield* files.using(uploaded, stored, isNew)
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const loadForReplacement = Effect.fnUntraced(function* (read: Operation.Read, documentId: string) {
        const document = yield* loadDocument(read, documentId)
        const { customer } = yield* loadCustomer(read, document.customerId ?? "")
        const loaded: DocumentLoaded = {
          document,
          customer,
          open: yield* loadOpenVerification(store, customer.id),
        }
        return loaded
      })

      const replace = Effect.fnUntraced(
        function* (documentId: string, incoming: IncomingForm<DocumentReplaceRequest>) {
          const form = yield* incoming(receive)
          const uploaded = uploadedOf(form)
          const stored = Effect.flatMap(requestOf(form), (request) =>
            Operation.run({
              name: "Documents.replace",
              load: (read) => loadForReplacement(read, documentId),
              ask: ({ customer, document, open }) => {
                const { documentHolder, status } = document.data
                const isRefused = isInReview({ open }) || status !== "STORED"
                return refusalOf(customer.id, { documentHolder, ...request }, isRefused ? undefined : uploaded)
              },
              decide: replaceDocument(request, form.file?.name, uploaded),
            }),
          )
          return yield* files.using(uploaded, stored, isNew)
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const remove = Effect.fnUntraced(
        function* (documentId: string) {
          return yield* Operation.run({
            name: "Documents.remove",
            load: (read) =>
              Effect.gen(function* () {
                const document = yield* loadDocument(read, documentId)
                return { document, customer: (yield* loadCustomer(read, document.customerId ?? "")).customer }
              }),
            decide: deleteDocument,
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const get = (documentId: string) => platformOnly(Effect.map(loadDocument(store.read, documentId), toDocument))

      const list = ({ documentHolder, ...query }: DocumentsQuery) =>
        listPage("Document", where({ documentHolder, isDeleted: false }), query).pipe(
          Effect.map((page) => ({ ...page, data: page.data.map(toDocument) })),
          platformOnly,
          Effect.provideService(Store, store),
        )

      return Documents.of({ upload, get, list, replace, remove })
    }),
  )
}
