/** Change sets that no decision may make, each with its sentence, and the topics of those that may. Source: store/Validity.ts; D-453. */
import type { Caller } from "@countersign/core"
import type { ChangeSet } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import { topicsOf } from "../../../packages/core/src/store/ChangeTopics.ts"
import { assertValid } from "../../../packages/core/src/store/Validity.ts"
import { changeSet, replayRecord } from "../../../packages/test/src/conformance/ChangeSets.ts"
import {
  account,
  agentOf,
  alpha,
  ann,
  bob,
  customer,
  customerUpdate,
  job,
  newEvent,
  transfer,
} from "../../../packages/test/src/conformance/Examples.ts"
import { attempt } from "./Attempts.ts"

const nul = "a\u0000b"
const fence = { id: "j", attempt: 1 }
const retried = { ...fence, outcome: "retry", notBefore: 1, error: "no answer" } as const
const claim = { scope: "platform", key: "k", record: { kind: "Customer", id: ann } } as const
const ofAnn = agentOf(ann)
const stored = "has U+0000 or half of a surrogate pair"

describe("a change set is a defect", () => {
  const defects: ReadonlyArray<readonly [name: string, parts: Partial<ChangeSet>, sentence: string, caller?: Caller]> =
    [
      ["of another customer's record", { inserts: [customer(2)] }, `Customer ${bob} belongs to another tenant`, ofAnn],
      [
        "of another customer's account",
        { ledgerAccounts: [account("a", { customerId: bob })] },
        "ledger account a belongs to another tenant",
        ofAnn,
      ],
      [
        "of another platform's account",
        { ledgerAccounts: [account("a", { platformId: "other" })] },
        "ledger account a belongs to another tenant",
      ],
      [
        "of another customer's event",
        { events: [newEvent(1, { customerId: bob })] },
        `event ${newEvent(1, { customerId: bob }).id} belongs to another tenant`,
        ofAnn,
      ],
      [
        "of another customer's job",
        { jobs: [job(1, { customerId: bob })] },
        `job ${job(1, { customerId: bob }).id} belongs to another tenant`,
        ofAnn,
      ],
      [
        "with a record twice",
        { inserts: [customer(1)], updates: [customerUpdate(1, 1)] },
        `record Customer ${ann} occurs twice`,
      ],
      ["with an event twice", { events: [newEvent(1), newEvent(1)] }, `event ${newEvent(1).id} occurs twice`],
      [
        "with two attempts of an event",
        {
          attempts: [
            { eventId: "e", attempt },
            { eventId: "e", attempt },
          ],
        },
        "attempt of event e occurs twice",
      ],
      ["with a job twice", { jobs: [job(1), job(1)] }, `job ${job(1).id} occurs twice`],
      ["with a claimed job twice", { finishes: [fence], returns: [retried] }, "claimed job j occurs twice"],
      [
        "with half an amount",
        { transfers: [transfer("a", "b", 0.5)] },
        "the amount from a to b must be a positive integer, not 0.5",
      ],
      [
        "with no amount",
        { transfers: [transfer("a", "b", 0)] },
        "the amount from a to b must be a positive integer, not 0",
      ],
      ["with one account", { transfers: [transfer("a", "a", 1)] }, "a transfer needs two accounts, not a twice"],
      ["with a record's text", { inserts: [customer(1, { fullName: nul })] }, `Customer ${ann} ${stored}`],
      [
        "with an updated text",
        { updates: [customerUpdate(1, 1, { fullName: "\ud800" })] },
        `Customer ${ann} ${stored}`,
      ],
      [
        "with an event's text",
        { events: [newEvent(1, { data: { body: nul, placeholders: [] } })] },
        `event ${newEvent(1).id} ${stored}`,
      ],
      [
        "with an attempt's text",
        { attempts: [{ eventId: "e", attempt: { ...attempt, failure: nul } }] },
        `attempt of event e ${stored}`,
      ],
      ["with a job's text", { jobs: [job(1, { payload: nul })] }, `job ${job(1).id} ${stored}`],
      ["with a failure's text", { returns: [{ ...retried, error: nul }] }, `job j ${stored}`],
      ["with a returned text", { returns: [{ ...retried, payload: nul }] }, `job j ${stored}`],
      ["with a key's text", { claims: [{ ...claim, key: nul }] }, `claim ${nul} ${stored}`],
      [
        "with an answer's text",
        { replay: replayRecord("r", { answer: { body: nul, placeholders: [] } }) },
        `answer r ${stored}`,
      ],
      [
        "with half a delta",
        { counters: [{ key: "k", delta: 0.5 }] },
        "the delta of counter k must be an integer, not 0.5",
      ],
    ]
  const rows = defects.map(([name, parts, sentence, caller = alpha]) => ({ name, parts, sentence, caller }))
  it.each(rows)("$name", ({ caller, parts, sentence }) => {
    expect(() => assertValid(changeSet(parts), caller)).toThrow(new Error(`change set: ${sentence}`))
  })

  it("that changes what is final", () => {
    const record = { kind: "AuditRecord", id: "AuditRecord:1", version: 1, data: {} } as never
    expect(() => assertValid(changeSet({ updates: [record] }), alpha)).toThrow(/AuditRecord .* is immutable$/u)
  })

  it("and no other is", () => {
    const all = {
      inserts: [customer(2)],
      updates: [customerUpdate(1, 1)],
      events: [newEvent(1), newEvent(2)],
      jobs: [job(1), job(2)],
      finishes: [fence],
      transfers: [transfer("a", "b", 1), transfer("a", "b", 1)],
      counters: [
        { key: "k", delta: -1 },
        { key: "k", delta: 0 },
      ],
    }
    expect(() => assertValid(changeSet(all), alpha)).not.toThrow()
  })
})

describe("the topics of a change set", () => {
  const token = { kind: "ApiToken", id: "t", version: 1, data: {} } as never
  it.each<readonly [string, Partial<ChangeSet>, ReadonlyArray<string>]>([
    ["nothing", {}, []],
    ["a record", { inserts: [customer(1)] }, ["records"]],
    ["a changed record", { updates: [customerUpdate(1, 1)] }, ["records"]],
    ["a credential", { updates: [token] }, ["access"]],
    ["an event", { events: [newEvent(1)] }, ["events"]],
    ["an attempt", { attempts: [{ eventId: "e", attempt }] }, ["deliveries"]],
    ["a transfer", { transfers: [transfer("a", "b", 1)] }, ["books"]],
    ["a job", { jobs: [job(1)] }, ["jobs"]],
    ["a finished job", { finishes: [fence] }, ["jobs"]],
    ["a returned job", { returns: [retried] }, ["jobs"]],
  ])("with %s", (_, parts, topics) => expect([...topicsOf(changeSet(parts))]).toEqual(topics))
})
