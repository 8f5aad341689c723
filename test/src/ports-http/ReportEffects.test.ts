/** Every report of the contract in a running service: its effect, once, in whichever process it arrives and however often. */
import { portReports, reportOperations } from "@countersign/ports-http"
import { Redacted } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { bankReportCases } from "./BankReportCases.ts"
import { cardReportCases } from "./CardReportCases.ts"
import { serverSecret } from "./PortServer.ts"
import { reportOf, reportTime, type Sent } from "./ReportRequest.ts"

const cases = { ...bankReportCases, ...cardReportCases }

/** The handler of a process that has started now. */
const handlerOf = ({ run }: Pick<Harness, "run">) =>
  portReports({ secrets: [Redacted.make(serverSecret)], run: (effect) => run(effect), now: () => reportTime })

it("there is a case for each report", () => {
  expect(Object.keys(cases).toSorted()).toEqual(
    Object.values(reportOperations)
      .map(({ path }) => path)
      .toSorted(),
  )
})

describe.each(Object.entries(cases))("the report %s", (path, { after, answer = {}, before, newest, start }) => {
  const begin = async () => {
    const { about, content, newer, pay, state } = await start()
    const { platformId } = pay
    const sent = (more: Sent = {}, report: object = { ...about, ...content }) =>
      reportOf({ path: `/port-reports${path}`, body: { platformId, report }, ...more }).request
    await pay.settle()
    expect(await state()).toEqual(before)
    const [process, other] = [handlerOf(pay), handlerOf(pay)]
    return { about, content, newer, pay, state, sent, process, other, [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
  }

  it("has its effect, and none when it is repeated under another id in either process", async () => {
    await using world = await begin()
    const response = await world.process(world.sent())
    expect([response.status, await response.json()]).toEqual([200, answer])
    expect(await world.state()).toEqual(after)
    for (const process of [world.process, world.other]) {
      expect((await process(world.sent())).status).toBe(200)
      expect(await world.state()).toEqual(after)
    }
  })

  it("is not taken again under its id after a newer one, in either process", async () => {
    await using world = await begin()
    expect((await world.process(world.sent({ id: "first" }))).status).toBe(200)
    expect((await world.other(world.sent({}, { ...world.about, ...world.newer }))).status).toBe(200)
    expect(await world.state()).toEqual(newest)
    for (const process of [world.process, world.other, handlerOf(world.pay)]) {
      const replayed = await process(world.sent({ id: "first" }))
      expect([replayed.status, await replayed.json()]).toMatchObject([409, { code: "CONFLICT" }])
      expect(await world.state()).toEqual(newest)
    }
  })

  it("changes nothing with a wrong signature, about what does not exist, or for another platform", async () => {
    await using world = await begin()
    const statusOf = async (request: Request) => (await world.process(request)).status
    expect(await statusOf(world.sent({ secret: "another port secret of the tests 42" }))).toBe(401)
    const report = { ...world.about, ...world.content }
    expect(await statusOf(world.sent({ body: { platformId: "Platform:other", report } }))).toBe(404)
    const [[name = "", id = ""] = []] = Object.entries(world.about)
    const unknown = id.replace(/.(?=(?::0)?$)/u, (last) => (last === "0" ? "1" : "0"))
    expect(await statusOf(world.sent({}, { ...report, [name]: unknown }))).toBe(404)
    expect(await world.state()).toEqual(before)
  })
})

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

describe("on PostgreSQL, a report about what does not exist", () => {
  it("uses up its id in the process that joins, also when both receive it at the same time", async () => {
    await using pay = await harness({ store: TestDatabase.emptyWorld(database) })
    await using joined = await pay.join()
    const { platformId } = pay
    const body = { platformId, report: { reference: "Transaction:none", outcome: "Done" } }
    const processes = [handlerOf(pay), handlerOf(joined)]
    const statusesOf = (id: string) =>
      Promise.all(processes.map(async (process) => (await process(reportOf({ body, id }).request)).status))
    expect((await statusesOf("once")).toSorted()).toEqual([404, 409])
    expect(await statusesOf("once")).toEqual([409, 409])
  })
})
