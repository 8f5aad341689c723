/**
 * What the provider of strong authentication is not asked: a right answer may be used up by the question.
 * Source: D-086, D-322, D-381.
 */
import { ScaProvider } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { at, newPerson } from "../customer/CustomerRequests.ts"
import { confirmByCode, trustPath } from "./TrustRequests.ts"
import { european, regulated, trusting } from "./TrustWorld.ts"

/** The sandbox's provider, which records its calls. */
const recordedCalls = () => {
  const calls: Array<string> = []
  const ports = Layer.effect(
    ScaProvider,
    Effect.map(ScaProvider, (real) => ({
      ...real,
      confirmEnrollment: (...asked: Parameters<typeof real.confirmEnrollment>) => {
        calls.push("confirmEnrollment")
        return real.confirmEnrollment(...asked)
      },
      resetState: (...asked: Parameters<typeof real.resetState>) => {
        calls.push("resetState")
        return real.resetState(...asked)
      },
      challengesTrust: () => {
        calls.push("challengesTrust")
        return Effect.succeed(true)
      },
    })),
  ).pipe(Layer.provideMerge(Sandbox.layer))
  return { calls, ports }
}

const totp = { type: "TOTP", secret: "x", code: "123456" }

it("is not asked to enrol a factor of a customer whose region does not require it", async () => {
  const { calls, ports } = recordedCalls()
  await using pay = await harness({ ...regulated, ports })
  const confirm = async (customer: object) =>
    pay.send("POST", `/sca/factors/confirm?customerId=${await newPerson(pay, customer)}`, { body: totp })
  expect((await confirm({ ...european, region: "US" })).status).toBe(409)
  expect(calls).toEqual([])
  expect((await confirm(european)).status).toBe(200)
  expect(calls).toEqual(["confirmEnrollment"])
})

it("is not asked for the state of a reset that is completed", async () => {
  const { calls, ports } = recordedCalls()
  await using pay = await harness({ ...regulated, ports })
  const customerId = await newPerson(pay, european)
  const send = (method: string, path: string, body?: object) =>
    pay.send(method, `/sca/factors/${path}?customerId=${customerId}`, body === undefined ? {} : { body })
  await send("POST", "confirm", totp)
  const begin = async () => `reset/${String(at(await send("POST", "reset", { factor: "TOTP" }), "resetId"))}`
  const path = await begin()
  calls.length = 0
  expect((await send("GET", path)).body).toMatchObject({ status: "LIVENESS_PASSED" })
  expect((await send("POST", `${path}/complete`)).status).toBe(204)
  expect(calls).toEqual(["resetState", "resetState"])
  expect((await send("GET", path)).body).toMatchObject({ status: "COMPLETED" })
  expect((await send("POST", `${path}/complete`)).status).toBe(409)
  expect(calls).toEqual(["resetState", "resetState"])
})

it("is not asked whether a trust that exists needs a challenge", async () => {
  const { calls, ports } = recordedCalls()
  await using it = await trusting({ ports })
  await confirmByCode(it.pay, trustPath(it.id))
  expect(calls).toEqual(["challengesTrust"])
  expect((await it.post(trustPath(it.id))).body).toEqual({})
  expect(calls).toEqual(["challengesTrust"])
})
