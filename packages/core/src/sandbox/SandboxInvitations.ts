/**
 * Invitations in the sandbox: links have a base that does not resolve, and a magic first name claims or ends an invitation, so that one
 * platform alone can see what happens.
 * Source: wire contract areas 1.4.5 and 1.4.6.
 */
import { Effect, Layer } from "effect"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import { type InviteeResponse, InviteeResponses } from "../ports/InviteeResponses.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { InvitationBaseUrl } from "../settings/InvitationBaseUrl.ts"
import { UmaDomain } from "../settings/UmaDomain.ts"
import { InvitationSuffixes } from "./InvitationSuffixes.ts"
import { UmaScenarios } from "./UmaScenarios.ts"

const baseUrlDefault = "https://invite.sandbox.example"

/** The address of the sandbox that receives this currency, or dollars if none does. */
const nameOf = (currency: CurrencyCode | undefined): string => {
  const name = `success.${currency?.toLowerCase()}`
  return UmaScenarios.has(name) ? name : "success.usd"
}

const responses = Layer.effect(
  InviteeResponses,
  Effect.map(UmaDomain, (domain) => ({
    find: ({ currency, firstName = "" }) => {
      const row = InvitationSuffixes.find(firstName.slice(-3))
      if (row === undefined) return Effect.undefined
      const { afterMillis } = row
      return Effect.succeed<InviteeResponse>(
        row.effect === "claimed"
          ? { _tag: "Claims", afterMillis, inviteeUma: `$${nameOf(currency)}@${domain}` }
          : { _tag: "Expires", afterMillis },
      )
    },
  })),
).pipe(sandboxOnly("SandboxInvitations"))

/** The deployment's base, if it has one. */
const baseUrl = Layer.effect(
  InvitationBaseUrl,
  Effect.map(InvitationBaseUrl, (base) => base ?? baseUrlDefault),
)

/** Provides `InviteeResponses` by magic name, and the base of the links. */
export const layer = Layer.merge(responses, baseUrl)
