/** What keeps a customer from being deleted, and what ends with the customer. Source: wire contract 11 (22); D-081. */
import { type Kind, Kinds } from "@countersign/core/store"
import { expect, it } from "vitest"

const blocks = (kind: Kind, data: object): boolean | undefined =>
  (Kinds.get(kind).customerTie.blocksDeletion as ((data: object) => boolean) | undefined)?.(data)
const end = (kind: Kind, data: object): unknown =>
  (Kinds.get(kind).customerTie.onCustomerDeleted as ((data: object) => unknown) | undefined)?.(data)

it("only payments, card purchases and token operations that are under way keep a customer", () => {
  const blocking = Kinds.keys.filter((kind) => Kinds.get(kind).customerTie.blocksDeletion !== undefined)
  expect(blocking).toEqual(["Transaction", "CardTransaction", "StablecoinOperation"])
})

it.each<readonly [what: string, data: object, isBlocking: boolean]>([
  ["pending", { status: "PENDING" }, true],
  ["waiting for its authorization", { status: "PENDING_AUTHORIZATION" }, true],
  ["being processed", { status: "PROCESSING" }, true],
  ["completed", { status: "COMPLETED" }, false],
  ["failed", { status: "FAILED" }, false],
  ["completed and being refunded", { status: "COMPLETED", refund: { status: "PENDING" } }, true],
  ["refunded", { status: "FAILED", refund: { status: "COMPLETED" } }, false],
  ["ended, and not yet applied", { status: "COMPLETED", isUnapplied: true }, true],
])("a payment that is %s keeps its customer or not", (_what, data, isBlocking) => {
  expect(blocks("Transaction", data)).toBe(isBlocking)
})

it("an operation of a token that the provider was not asked for keeps no customer", () => {
  expect(blocks("StablecoinOperation", { status: "CREATED" })).toBe(false)
  expect(blocks("StablecoinOperation", { status: "CREATED", request: { key: "k" } })).toBe(true)
  expect(blocks("StablecoinOperation", { status: "COMPLETED", request: { key: "k" } })).toBe(false)
})

it.each<readonly [kind: Kind, data: object, ended: object]>([
  ["InternalAccount", { status: "ACTIVE", currency: "USD" }, { status: "CLOSED", currency: "USD" }],
  ["InternalAccount", { status: "FAILED", currency: "USD" }, { status: "CLOSED", currency: "USD" }],
  ["Agent", { isDeleted: false, isConnected: true, name: "a" }, { isDeleted: true, isConnected: false, name: "a" }],
  ["Credential", { isRevoked: false, type: "EMAIL_OTP" }, { isRevoked: true, type: "EMAIL_OTP" }],
  ["Session", { status: "ACTIVE" }, { status: "REVOKED" }],
  ["DelegatedKey", { status: "ACTIVE" }, { status: "REVOKED" }],
  ["Card", { state: "ACTIVE" }, { state: "CLOSED", stateReason: "CLOSED_BY_SERVICE" }],
  ["ExternalAccount", { isDeleted: false, accountInfo: { accountType: "MXN_ACCOUNT" } }, { isDeleted: true }],
])("a %s ends with its customer, once", (kind, data, ended) => {
  const after = end(kind, data)
  expect(after).toMatchObject(ended)
  expect(end(kind, Object(after))).toBeUndefined()
})

it("what a document and an account say of a person is erased with all earlier versions, and nothing else is", () => {
  const erasing = Kinds.keys.filter((kind) => Kinds.get(kind).customerTie.erasesHistory === true)
  expect(erasing).toEqual(["Document", "ExternalAccount"])
})
