/** What a verification does to the documents of its customer, by their state and by what it has reached. Wire contract areas 1.2.5. */
import type { Stored } from "@countersign/core/store"
import { expect, it } from "vitest"
import { followVerification } from "../../../packages/core/src/decision/document/SubmittedDocuments.ts"

type Document = Stored<"Document">
type Status = Document["data"]["status"]
type Reached = Parameters<typeof followVerification>[1]

const document = (status: Status) =>
  ({
    kind: "Document",
    id: "Document:a",
    platformId: "p",
    customerId: "c",
    version: 3,
    data: { status, documentHolder: "c", fileName: "a.pdf" },
  }) as Document

/** The new state, or how the state before is kept: `guarded` if the commit depends on it. */
const after = (from: Status, reached: Reached, isSubmission: boolean): string => {
  const { guards = [], updates = [] } = followVerification([document(from)], reached, isSubmission)
  const [update] = updates
  if (update === undefined) return guards.length === 0 ? "untouched" : "guarded"
  expect(Object(update)["data"]).toMatchObject({ documentHolder: "c", fileName: "a.pdf" })
  return String(Object(update)["data"]["status"])
}

it.each<readonly [Status, Reached, submission: string, later: string]>([
  ["STORED", "IN_PROGRESS", "SUBMITTED", "untouched"],
  ["STORED", "PENDING_MANUAL_REVIEW", "SUBMITTED", "untouched"],
  ["STORED", "RESOLVE_ERRORS", "guarded", "untouched"],
  ["STORED", "APPROVED", "RETAINED", "untouched"],
  ["STORED", "REJECTED", "RETAINED", "untouched"],
  ["SUBMITTED", "IN_PROGRESS", "guarded", "untouched"],
  ["SUBMITTED", "PENDING_MANUAL_REVIEW", "guarded", "untouched"],
  ["SUBMITTED", "RESOLVE_ERRORS", "STORED", "STORED"],
  ["SUBMITTED", "APPROVED", "RETAINED", "RETAINED"],
  ["SUBMITTED", "REJECTED", "RETAINED", "RETAINED"],
  ["RETAINED", "APPROVED", "guarded", "untouched"],
  ["RETAINED", "REJECTED", "guarded", "untouched"],
  ["RETAINED", "RESOLVE_ERRORS", "guarded", "untouched"],
])(
  "a document that is %s, of a verification that is %s, is %s by its submission, and %s later",
  (from, reached, submission, later) => {
    expect([after(from, reached, true), after(from, reached, false)]).toEqual([submission, later])
  },
)

it("changes each of several documents by its own state", () => {
  const { guards = [], updates = [] } = followVerification([document("STORED"), document("RETAINED")], "APPROVED", true)
  expect([updates.length, guards.length]).toEqual([1, 1])
  expect(followVerification([], "APPROVED", true)).toEqual(followVerification([], "REJECTED", false))
})
