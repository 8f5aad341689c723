/** Every operation of the contract carries every request and every answer of its port unchanged. */
import { Outside } from "@countersign/core"
import { operationsOfPorts } from "@countersign/ports-http"
import { expect, it } from "@effect/vitest"
import { Arbitrary, Effect, Redacted, Schema } from "effect"
import { afterAll, beforeAll } from "vitest"
import { makePortClient } from "../../../packages/ports-http/src/call/PortClient.ts"
import type { AskOperation, OutcomeOperation } from "../../../packages/ports-http/src/contract/PortOperation.ts"
import { type PortServer, portServer, serverSecret } from "./PortServer.ts"

type Operation = AskOperation<unknown, unknown> | OutcomeOperation<unknown, unknown>

const operations = Object.entries(operationsOfPorts).flatMap(([port, rows]) =>
  Object.entries<unknown>(rows).map(([name, row]) => ({ port, name, operation: row as Operation })),
)

let bank: PortServer
let answer: object = {}
beforeAll(async () => {
  bank = await portServer(() => answer)
})
afterAll(() => bank[Symbol.asyncDispose]())

/** As it is after a way through JSON. */
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

for (const { name, operation, port } of operations) {
  const encodeRequest = Schema.encodeSync(operation.request)
  const encodeAnswer = Schema.encodeSync(operation.answer)
  it.effect.prop(
    `${port}.${name} carries requests and answers`,
    { request: Arbitrary.schema(operation.request), given: Arbitrary.schema(operation.answer) },
    ({ given, request: generated }) =>
      Effect.gen(function* () {
        const client = yield* makePortClient({ url: bank.url, secrets: [Redacted.make(serverSecret)] })
        // No record has a text that no store can keep, and an answer's is replaced on the way in.
        const request = Outside.clean(generated)
        answer = Outside.clean(json(encodeAnswer(given))) as object
        const received =
          operation.lost === "Unknown"
            ? yield* client.outcomeOf(operation, request)
            : yield* client.ask(operation, request)
        expect(json(encodeAnswer(received))).toEqual(answer)
        const call = bank.calls.at(-1)
        expect(call?.path).toBe(`/ports${operation.path}`)
        expect(call?.request).toEqual(json(encodeRequest(request)))
        expect(json(encodeRequest(Schema.decodeUnknownSync(operation.request)(call?.request)))).toEqual(call?.request)
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 10 } },
  )
}

it("the contract has an operation for each method of its ports, each at a path of its own", () => {
  const paths = operations.map(({ operation: { path } }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  expect(
    Object.fromEntries(Object.entries(operationsOfPorts).map(([port, rows]) => [port, Object.keys(rows)])),
  ).toEqual({
    Rails: ["inspectPull", "pull", "push", "inquire", "refund", "cancel"],
    Verifier: ["verifyBeneficiary", "checkCustomer", "checkOwner", "verifyCustomer", "kycLink"],
    ExchangeRates: ["rate"],
    SecurityCodes: ["send", "check"],
    ScaProvider: [
      "startEnrollment",
      "confirmEnrollment",
      "challenge",
      "purposes",
      "challengesTrust",
      "check",
      "startReset",
      "resetState",
    ],
    OtpSender: ["send"],
    Issuer: ["admits", "provision", "changeState", "reveal", "screen", "collect"],
    FundingInstructions: ["forPayment", "forAccount", "collectionAccount"],
    BankDirectory: ["find"],
    DocumentVault: ["append", "complete", "read", "erase"],
    PortServer: ["describe"],
    DepositScreening: ["screen", "transactionHash"],
    UmaNetwork: ["find", "providers", "requirements"],
    NetworkFees: ["estimate"],
    VaspDirectory: ["entries"],
    DomainOwnership: ["check"],
  })
})
