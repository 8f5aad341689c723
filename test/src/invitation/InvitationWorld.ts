/** Two platforms with a customer each, and calls about invitations. */
import { Platforms } from "@countersign/core"
import { sandboxCurrencies } from "@countersign/core/models"
import { Redacted } from "effect"
import { type Harness, type HarnessOptions, harness, type Reply } from "../../../packages/test/src/harness/Harness.ts"
import { at, textAt } from "../account/ExternalAccountRequests.ts"

const second = { clientId: "client_second", clientSecret: "secret_second" }

export const inviter = "$inviter@first.example.com"
export const invitee = "$invitee@second.example.com"

type Call = (
  method: string,
  path: string,
  body?: object,
  headers?: { readonly [name: string]: string },
) => Promise<Reply>

export interface InvitationWorld extends Harness {
  /** Calls of the inviter's platform, and of another one. */
  readonly own: Call
  readonly other: Call
  readonly customerId: string
  /** Creates an invitation and returns its code. */
  readonly invite: (fields?: object) => Promise<string>
}

export const codeOf = (reply: Reply): string => textAt(reply, "code")
export const reasonOf = (reply: Reply): unknown => at(reply.body, "details", "reason")

export const invitationWorld = async (
  options: HarnessOptions = {},
  customer: object = { currencies: ["EUR", "USD"] },
): Promise<InvitationWorld> => {
  const pay = await harness(options)
  await pay.run(
    Platforms.use((platforms) =>
      platforms.setUp({
        clientId: second.clientId,
        clientSecret: Redacted.make(second.clientSecret),
        name: "Second platform",
        currencies: sandboxCurrencies,
      }),
    ),
  )
  const withBody = (body: object | undefined) => (body === undefined ? {} : { body })
  const own: Call = (method, path, body, headers = {}) => pay.send(method, path, { headers, ...withBody(body) })
  const authorization = `Basic ${btoa(`${second.clientId}:${second.clientSecret}`)}`
  const other: Call = (method, path, body, headers = {}) =>
    pay.send(method, path, { as: "nobody", headers: { ...headers, authorization }, ...withBody(body) })
  const join = async (call: Call, umaDomain: string, umaAddress: string) => {
    await call("PATCH", "/config", { umaDomain })
    return call("POST", "/customers", { customerType: "INDIVIDUAL", fullName: "Ada Lovelace", umaAddress, ...customer })
  }
  const customerId = textAt(await join(own, "first.example.com", inviter), "id")
  textAt(await join(other, "second.example.com", invitee), "id")
  const invite = async (fields: object = {}) =>
    codeOf(await own("POST", "/invitations", { inviterUma: inviter, ...fields }))
  return Object.assign(pay, { own, other, customerId, invite })
}
