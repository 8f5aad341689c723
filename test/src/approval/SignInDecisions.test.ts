/** Sign-ins of a new approver in two places at once, decided on what the first has committed. Source: D-352. */
import { describe, expect, it } from "vitest"
import {
  challengeApprover,
  type SignInLoaded,
  signInByPasskey,
  signInBySecret,
} from "../../../packages/core/src/decision/approval/ConsoleSessionDecision.ts"
import type { ConsoleSession } from "../../../packages/core/src/model/approval/ConsoleSession.ts"
import type { RegisteredPasskey } from "../../../packages/core/src/model/wallet/Credential.ts"
import type { Stored } from "../../../packages/core/src/store/ChangeSet.ts"
import { approverClaim } from "../../../packages/core/src/store/Claims.ts"
import { contextAt } from "./DecisionContexts.ts"

const record = { platformId: "Platform:1", customerId: null, version: 1, createdAt: 0, updatedAt: 0 }
const name = "Ada Lovelace"
const token: Stored<"ApiToken"> = {
  ...record,
  kind: "ApiToken",
  id: "ApiToken:1",
  data: { name: "Console", clientId: "console", permissions: ["VIEW"], secrets: [], isDeleted: false },
}
const approver: Stored<"Approver"> = { ...record, kind: "Approver", id: "Approver:1", data: { name } }
const waiting: ConsoleSession = {
  status: "CHALLENGED",
  tokenId: token.id,
  clientId: "console",
  approverName: name,
  proof: "PASSKEY",
  challenge: "text",
  origin: "https://pay.example.com",
  expiresAt: 100,
  activeAt: 0,
}
const session: Stored<"ConsoleSession"> = { ...record, kind: "ConsoleSession", id: "ConsoleSession:1", data: waiting }
const passkey: RegisteredPasskey = {
  credentialId: "id",
  publicKey: "key",
  signatureCount: 1,
  userVerified: true,
  origin: "https://pay.example.com",
  relyingPartyHash: "hash",
}
const taken = contextAt(5, { rejections: [{ _tag: "Taken", claim: approverClaim(name) }] })
const conflict = { code: "CONFLICT", message: "The approver has just signed in elsewhere. Try again." }

const signIn = { name, origin: "https://pay.example.com", secretHash: "hash" }
const bySecret = (loaded: SignInLoaded, context = taken) => signInBySecret(signIn)(loaded, context)
const byPasskey = (loaded: SignInLoaded, context = taken) =>
  signInByPasskey("hash")({ ...loaded, session, proof: { _tag: "Proven", passkey } }, context)

describe.each([
  ["with credentials alone", bySecret],
  ["with a passkey", byPasskey],
])("a sign-in %s", (_, decide) => {
  it("is refused while another one has just created the approver", () => {
    expect(decide({ token, approver: undefined })).toEqual({ _tag: "Refuse", refusal: conflict, changes: {} })
  })

  it("continues with the approver that another one has created", () => {
    const decided = decide({ token, approver })
    expect(decided).toMatchObject({ _tag: "Answer", status: 201, body: { approver: name } })
  })

  it("is refused with a deleted token", () => {
    const deleted = { ...token, data: { ...token.data, isDeleted: true } }
    const refusal = { code: "UNAUTHORIZED", details: { reason: "Invalid credentials" } }
    expect(decide({ token: deleted, approver }, contextAt(5))).toMatchObject({ _tag: "Refuse", refusal, changes: {} })
  })

  it("guards its token, so that it is not deleted in between", () => {
    const { changes } = decide({ token, approver: undefined }, contextAt(5))
    expect(changes?.guards).toMatchObject([{ id: token.id }])
  })
})

describe("a sign-in with a passkey", () => {
  it("replaces the passkey of a known approver, and creates a new one", () => {
    expect(byPasskey({ token, approver }).changes?.updates?.map(({ id }) => id)).toEqual(["Approver:1", session.id])
    const { changes } = byPasskey({ token, approver: undefined }, contextAt(5))
    expect(changes?.inserts?.map(({ kind }) => kind)).toEqual(["Approver", "AuditRecord"])
  })

  it("begins with a challenge of the approver's own passkey", () => {
    const ask = challengeApprover({ ...signIn, challenge: "text" })
    const known = { ...approver, data: { name, passkey } }
    const bodies = [undefined, approver, known].map((each) => ask({ token, approver: each }, contextAt(5)))
    expect(bodies).toMatchObject([
      { status: 202, body: { approver: name, challenge: "text" } },
      { status: 202, body: { approver: name, challenge: "text" } },
      { status: 202, body: { approver: name, challenge: "text", credentialId: "id" } },
    ])
  })

  it.each([
    ["without its session", undefined],
    ["that has begun", { ...session, data: { ...waiting, status: "ACTIVE" as const } }],
    ["that is over", { ...session, data: { ...waiting, expiresAt: 5 } }],
    ["of another token", { ...session, data: { ...waiting, tokenId: "ApiToken:2" } }],
  ])("does not complete a sign-in %s", (_, other) => {
    const proof = { _tag: "Proven", passkey } as const
    const decided = signInByPasskey("hash")({ token, approver, session: other, proof }, contextAt(5))
    expect(decided).toMatchObject({
      _tag: "Refuse",
      refusal: { code: "UNAUTHORIZED", details: { reason: "Passkey challenge expired or already used" } },
      changes: {},
    })
  })
})
