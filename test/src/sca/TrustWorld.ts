/** Customers that are signed in and have an account, and a provider that records what it is asked, for the tests of beneficiary trust. */
import { ScaProvider } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Store } from "@countersign/core/store"
import { Effect, Layer, Redacted } from "effect"
import { type Harness, harness, type Reply } from "../../../packages/test/src/harness/Harness.ts"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"
import { added, textAt, usd } from "../account/ExternalAccountRequests.ts"
import { newPerson } from "../customer/CustomerRequests.ts"
import { signIn } from "./TrustRequests.ts"

export const regulated = { scaRegions: ["EU"] }
export const phoneNumber = "+14155550123"
export const european = { region: "EU", phoneNumber }
export const passkeyOnly = { region: "EU" }

export interface Trusting extends AsyncDisposable {
  readonly pay: Harness
  readonly customerId: string
  readonly id: string
  readonly post: (path: string, body?: object, headers?: { readonly [name: string]: string }) => Promise<Reply>
}

/** A customer that is signed in, with an account. */
export const trusting = async (options: WorldOptions = {}, account: object = usd()): Promise<Trusting> => {
  const pay = await harness({ ...regulated, ...options })
  const customerId = await newPerson(pay, european)
  await signIn(pay, customerId)
  const id = await added(pay, { ...account, customerId })
  return {
    pay,
    customerId,
    id,
    post: (path, body, headers = {}) => pay.send("POST", path, { headers, ...(body === undefined ? {} : { body }) }),
    [Symbol.asyncDispose]: pay[Symbol.asyncDispose],
  }
}

export const startOf = async (it: Trusting, path: string): Promise<string> =>
  textAt(await it.post(path), "scaChallenge", "id")
export const isTrusted = async ({ id, pay }: Trusting) => {
  const store = await pay.run(Store.use((all) => all.history({ kind: "ExternalAccount", id })))
  return store.at(-1)?.data
}
export const refusedBy = (reason: string, status = 400) => ({ status, body: { details: { reason } } })

/** The sandbox's provider, which records the codes that it sends, and the answers that it checks with their codes in clear. */
export const recording = () => {
  const sent: Array<string> = []
  const checked: Array<object> = []
  const codes: Array<string | undefined> = []
  const ports = Layer.effect(
    ScaProvider,
    Effect.map(ScaProvider, (real) => ({
      ...real,
      challenge: (request: Parameters<typeof real.challenge>[0]) => {
        sent.push(`${request.factor} ${request.phoneNumber ?? ""}`.trim())
        return real.challenge(request)
      },
      check: (answer: Parameters<typeof real.check>[0]) => {
        checked.push(answer)
        codes.push(answer.code && Redacted.value(answer.code))
        return real.check(answer)
      },
    })),
  ).pipe(Layer.provideMerge(Sandbox.layer))
  return { sent, checked, codes, ports }
}
