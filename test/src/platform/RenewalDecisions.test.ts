/**
 * What a later start of a platform, its API tokens and the decisions on its parked jobs write.
 * Source: wire contract 5.8, 5.12 and 9; D-006, D-087, D-343, D-354.
 */
import { describe, expect, it } from "vitest"
import {
  addTokenSecret,
  createApiToken,
  removeApiToken,
  retireTokenSecret,
} from "../../../packages/core/src/decision/platform/ApiTokenDecision.ts"
import { decideParkedJob, toParkedJob } from "../../../packages/core/src/decision/platform/ParkedJobDecision.ts"
import {
  type NewPlatform,
  type RenewalLoaded,
  renewPlatform,
} from "../../../packages/core/src/decision/platform/PlatformSetupDecision.ts"
import { hash } from "../../../packages/core/src/foundation/crypto/Secrets.ts"
import type { ApiToken } from "../../../packages/core/src/model/platform/Platform.ts"
import type { StoredSecret } from "../../../packages/core/src/model/platform/StoredSecret.ts"
import { type Caller, tenant } from "../../../packages/core/src/store/Caller.ts"
import type { Stored } from "../../../packages/core/src/store/ChangeSet.ts"
import type { JobView } from "../../../packages/core/src/store/Store.ts"
import { contextOf, now, writtenTo } from "../card/StoredCards.ts"
import { partsWritten } from "../operation/WrittenParts.ts"
import { creation } from "../quote/CreationFacts.ts"

const platformId = "PlatformConfig:1"
const refused = (refusal: object) => ({ _tag: "Refuse", refusal, changes: {} })
const secretOf = (id: string, more: Partial<StoredSecret> = {}): StoredSecret => ({
  id,
  hash: id,
  createdAt: 1,
  ...more,
})
const tokenOf = (data: Partial<ApiToken> = {}, id = "Token:1"): Stored<"ApiToken"> => ({
  platformId,
  customerId: null,
  kind: "ApiToken",
  id,
  version: 5,
  createdAt: 1,
  updatedAt: 1,
  data: { name: "Pay", clientId: "client", secrets: [], permissions: ["VIEW"], isDeleted: false, ...data },
})
const auditOf = (operation: string, target = "Token:1", details: object = {}) => [
  {
    platformId,
    kind: "AuditRecord",
    data: { operation, target, outcome: "DONE", details },
  },
]
const tokenUpdate = (data: Partial<ApiToken>) => ({
  kind: "ApiToken",
  id: "Token:1",
  version: 5,
  data: tokenOf(data).data,
})

describe("a later start of a platform", () => {
  const setup: NewPlatform = {
    platformId,
    clientId: "client",
    secretHashes: ["a"],
    name: "Pay",
    currencies: [],
    webhookTrust: "PROOF",
    webhookRootId: "root",
  }
  const configured = (id: string, more: Partial<StoredSecret> = {}) => secretOf(id, { isConfigured: true, ...more })
  const renewed = (
    secrets: ReadonlyArray<StoredSecret> | undefined,
    more: Partial<NewPlatform> = {},
    loaded: Partial<RenewalLoaded> = {},
  ) =>
    renewPlatform({ ...setup, ...more })(
      {
        endpoint: undefined,
        platform: creation.platform,
        token: secrets && tokenOf({ secrets }),
        ...loaded,
      },
      contextOf(),
    )
  const secretsAfter = (...of: Parameters<typeof renewed>) =>
    writtenTo(renewed(...of).changes ?? {}, "ApiToken").flatMap((data) => ("secrets" in data ? data.secrets : []))

  it("writes nothing where its secrets and its endpoint are the same", () => {
    const own = secretOf("own")
    const same = [
      renewed(undefined),
      renewed([configured("a")]),
      renewed([configured("a"), own]),
      renewed([configured("b"), configured("a")], { secretHashes: ["a", "b"] }),
    ]
    for (const decision of same) {
      expect(decision).toMatchObject({ status: 200, body: platformId })
      expect(partsWritten(decision)).toEqual({})
    }
  })

  it("replaces configured secrets, keeps those of the platform itself, and audits it", () => {
    const added = configured("Secret:new1", { hash: "a", createdAt: now })
    const own = secretOf("own")
    const ended = secretOf("ended", { expiresAt: now })
    const decision = renewed([configured("old"), own, ended])
    expect(partsWritten(decision)).toMatchObject({
      updates: [tokenUpdate({ secrets: [own, added] })],
      inserts: auditOf("TOKEN_RENEW"),
    })
    expect(secretsAfter([secretOf("a", { expiresAt: now + 1 })])).toEqual([configured("a")])
    expect(secretsAfter([secretOf("a", { expiresAt: now })])).toEqual([added])
  })

  it("stores a changed endpoint in the platform and as the endpoint", () => {
    const webhookEndpoint = "https://hook.example/"
    const decision = renewed([configured("a")], { webhookEndpoint })
    const { platform } = creation
    expect(decision.changes?.updates).toEqual([
      { kind: "Platform", id: platformId, version: 1, data: { ...platform.data, webhookEndpoint } },
    ])
    expect(writtenTo(decision.changes ?? {}, "WebhookEndpoint")).toMatchObject([{ url: webhookEndpoint }])
    const same = { ...platform, data: { ...platform.data, webhookEndpoint } }
    expect(partsWritten(renewed([configured("a")], { webhookEndpoint }, { platform: same }))).toEqual({})
    expect(partsWritten(renewed([configured("a")], { webhookEndpoint }, { platform: undefined }))).toEqual({})
    expect(partsWritten(renewed([configured("a")], {}, { platform: same }))).toEqual({})
  })
})

describe("an API token", () => {
  const created = (expiresAt?: number) =>
    createApiToken(
      { name: "Pay", permissions: ["VIEW", "MANAGE"], ...(expiresAt === undefined ? {} : { expiresAt }) },
      "client",
      "secret",
    )({}, contextOf())

  it("is stored with the hash of its secret, which only the answer shows", () => {
    const decision = created()
    expect(decision).toMatchObject({
      status: 201,
      body: {
        id: "Token:new2",
        name: "Pay",
        clientId: "client",
        clientSecret: "secret",
        secrets: [{ id: "Secret:new1" }],
      },
    })
    const data = {
      name: "Pay",
      clientId: "client",
      secrets: [{ id: "Secret:new1", hash: hash("secret"), createdAt: now }],
      permissions: ["VIEW", "MANAGE"],
      isDeleted: false,
    }
    expect(partsWritten(decision).inserts).toMatchObject([
      { kind: "ApiToken", id: "Token:new2", platformId, customerId: null, data },
      ...auditOf("TOKEN_CREATE", "Token:new2", { permissions: ["VIEW", "MANAGE"] }),
    ])
    expect(writtenTo(decision.changes ?? {}, "ApiToken")).toEqual([data])
  })

  it("expires after now, or is refused", () => {
    expect(created(now)).toMatchObject(refused({ details: { errors: [{ field: "expiresAt" }] } }))
    expect(writtenTo(created(now + 1).changes ?? {}, "ApiToken")).toMatchObject([{ expiresAt: now + 1 }])
  })

  it("is revoked by another token, which the commit guards", () => {
    const decision = removeApiToken({ token: tokenOf(), callerToken: tokenOf({}, "Token:2") }, contextOf())
    expect(decision).toMatchObject({ status: 204, body: null })
    const { claims: _claims, releases: _releases, ...parts } = partsWritten(decision)
    expect(parts).toMatchObject({
      updates: [tokenUpdate({ isDeleted: true })],
      guards: [{ kind: "ApiToken", id: "Token:2", version: 5 }],
      inserts: auditOf("TOKEN_DELETE"),
    })
    const byOperator = removeApiToken({ token: tokenOf(), callerToken: null }, contextOf())
    expect(byOperator).toMatchObject({
      status: 204,
      changes: { updates: [tokenUpdate({ isDeleted: true })], guards: [] },
    })
  })

  it("is not revoked by itself, by an unknown token, or if it does not exist", () => {
    const removed = (token: Stored<"ApiToken"> | undefined, callerToken: Stored<"ApiToken"> | undefined | null) =>
      removeApiToken({ token, callerToken }, contextOf())
    expect(removed(tokenOf(), undefined)).toMatchObject(refused({ code: "UNAUTHORIZED" }))
    expect(removed(undefined, undefined)).toMatchObject(refused({ code: "UNAUTHORIZED" }))
    expect(removed(undefined, null)).toMatchObject(refused({ code: "TOKEN_NOT_FOUND" }))
    expect(removed(tokenOf(), tokenOf())).toMatchObject(refused({ details: { reason: "TOKEN_IN_USE" } }))
  })

  it("has two secrets at most, of which the older is valid for the overlap", () => {
    const added = (secrets: ReadonlyArray<StoredSecret> | undefined, overlapSeconds?: number) =>
      addTokenSecret(overlapSeconds === undefined ? {} : { overlapSeconds }, "secret")(
        { token: secrets && tokenOf({ secrets }) },
        contextOf(),
      )
    const secret = { id: "Secret:new1", hash: hash("secret"), createdAt: now }
    const one = secretOf("one")
    const decision = added([one, secretOf("ended", { expiresAt: now })], 3)
    expect(decision).toMatchObject({ status: 201, body: { id: "Secret:new1", clientSecret: "secret" } })
    expect(partsWritten(decision)).toMatchObject({
      updates: [tokenUpdate({ secrets: [{ ...one, expiresAt: now + 3000 }, secret] })],
      inserts: auditOf("TOKEN_SECRET_ADD", "Token:1", { secretId: "Secret:new1" }),
    })
    expect(added([one])).toMatchObject({ changes: { updates: [tokenUpdate({ secrets: [one, secret] })] } })
    expect(added([one], 0)).toMatchObject({ changes: { updates: [tokenUpdate({ secrets: [secret] })] } })
    expect(added([one, secretOf("two")])).toMatchObject(refused({ details: { reason: "TOO_MANY_SECRETS" } }))
    expect(added(undefined)).toMatchObject(refused({ code: "TOKEN_NOT_FOUND" }))
  })

  it("retires a secret by a request with another one", () => {
    const secrets = [secretOf("one"), secretOf("two"), secretOf("ended", { expiresAt: now })]
    const by = (secretId: string): Caller => ({ ...tenant(platformId), tokenId: "Token:1", secretId })
    const retired = (secretId: string, caller: Caller, of: ReadonlyArray<StoredSecret> | undefined = secrets) =>
      retireTokenSecret(secretId)({ token: tokenOf({ secrets: of }) }, contextOf({ caller }))
    const decision = retired("one", by("two"))
    expect(decision).toMatchObject({ status: 204, body: null })
    expect(partsWritten(decision)).toMatchObject({
      updates: [tokenUpdate({ secrets: [secretOf("two")] })],
      inserts: auditOf("TOKEN_SECRET_RETIRE", "Token:1", { secretId: "one" }),
    })
    expect(retired("one", by("one"))).toMatchObject(refused({ details: { reason: "SECRET_IN_USE" } }))
    expect(retired("one", by("two"), [secretOf("one")])).toMatchObject(refused({ details: { reason: "LAST_SECRET" } }))
    expect(retired("ended", by("two"))).toMatchObject(refused({ code: "REFERENCE_NOT_FOUND" }))
    const unknown = retireTokenSecret("one")({ token: undefined }, contextOf())
    expect(unknown).toMatchObject(refused({ code: "TOKEN_NOT_FOUND" }))
  })
})

describe("a parked job", () => {
  const subject = "Transaction:00000000-0000-7000-8000-000000000001"
  const jobOf = (more: Partial<JobView> = {}): JobView => ({
    id: "Job:1",
    queue: "work",
    kind: "invitation.end",
    customerId: "Customer:1",
    lane: `lane:${subject}`,
    dueAt: now,
    payload: {},
    platformId,
    attempt: 3,
    state: "parked",
    error: "no answer",
    ...more,
  })
  const shown = {
    id: "Job:1",
    kind: "invitation.end",
    customerId: "Customer:1",
    subject,
    attempts: 3,
    error: "no answer",
    dueAt: "2026-03-02T08:00:00Z",
    isDroppable: true,
  }
  const decide = (outcome: "resumed" | "dropped", isForced = false, job: JobView | undefined = jobOf()) =>
    decideParkedJob(outcome, isForced)({ job }, contextOf())

  it("is shown with its record, its attempts and whether it can be dropped", () => {
    expect(toParkedJob(jobOf())).toEqual(shown)
    const { customerId: _customer, error: _error, subject: _subject, ...least } = shown
    const { error: _text, lane: _lane, ...bare } = jobOf({ kind: "quote.pull", customerId: null })
    expect(toParkedJob(bare)).toEqual({ ...least, kind: "quote.pull", isDroppable: false })
    expect(toParkedJob(jobOf({ kind: "unknown" })).isDroppable).toBe(false)
  })

  it.each([
    ["resumed", "JOB_RESUME"],
    ["dropped", "JOB_DROP"],
  ] as const)("is %s with the fence of its attempt, and audited", (outcome, operation) => {
    const decision = decide(outcome)
    expect(decision).toMatchObject({ status: 200, body: shown })
    const { inserts, ...parts } = partsWritten(decision)
    expect(parts).toEqual({ returns: [{ id: "Job:1", attempt: 3, outcome }] })
    expect(inserts).toMatchObject([{ customerId: "Customer:1", ...auditOf(operation, "Job:1")[0] }])
    expect(inserts?.[0]?.data).toHaveProperty("details", { kind: "invitation.end", attempts: 3 })
  })

  it("that a record waits for is dropped only by force", () => {
    const waiting = jobOf({ kind: "quote.pull" })
    expect(decide("dropped", false, waiting)).toMatchObject(
      refused({ code: "CONFLICT", details: { reason: "JOB_NOT_DROPPABLE", kind: "quote.pull" } }),
    )
    expect(decideParkedJob("dropped")({ job: waiting }, contextOf())).toMatchObject({ _tag: "Refuse" })
    expect(decide("resumed", false, waiting)).toMatchObject({ status: 200 })
    expect(decide("dropped", true, waiting).changes?.inserts?.[0]?.data).toHaveProperty("details", {
      kind: "quote.pull",
      attempts: 3,
      isForced: true,
    })
    const missing = decideParkedJob("resumed")({ job: undefined }, contextOf())
    expect(missing).toMatchObject(refused({ code: "REFERENCE_NOT_FOUND" }))
  })
})
