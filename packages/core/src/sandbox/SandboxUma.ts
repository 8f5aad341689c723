/**
 * The UMA network of the sandbox: the addresses of `UmaScenarios` under the sandbox's domain, and a few providers.
 * Spec: 4.6; wire contract 5.10 and 7.4; D-251, D-253.
 */
import { Effect, Layer } from "effect"
import { umaAddressParts } from "../model/customer/UmaAddress.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { type UmaAnswer, UmaNetwork, type UmaProvider } from "../ports/UmaNetwork.ts"
import { UmaDomain } from "../settings/UmaDomain.ts"
import { UmaScenarios } from "./UmaScenarios.ts"

/** The limits of every receiver, in the smallest unit. */
const limits = { minAmount: 1, maxAmount: 10_000_000_000 }

const answerOf = (name: string): UmaAnswer => {
  const row = UmaScenarios.find(name)
  return row === undefined
    ? { _tag: "NotFound" }
    : {
        _tag: "Found",
        receiver: {
          currencies: [{ code: row.currency, ...limits }],
          requiredPayerData: [{ name: "FULL_NAME", mandatory: true }],
          information: { FULL_NAME: "Sandbox Receiver" },
        },
      }
}

const providersOf = (domain: string): ReadonlyArray<UmaProvider> => [
  {
    name: "Sandbox Provider",
    domain,
    logoUrl: `https://${domain}/logo.svg`,
    lei: "00000000000000000098",
    regions: ["US", "DE", "MX"],
    currencies: ["USD", "EUR", "MXN"],
    isAllowed: true,
  },
  {
    name: "European Sandbox Provider",
    domain: `eu.${domain}`,
    regions: ["DE", "FR"],
    currencies: ["EUR"],
    isAllowed: true,
  },
  {
    name: "Blocked Sandbox Provider",
    domain: `blocked.${domain}`,
    regions: ["US"],
    currencies: ["USD"],
    isAllowed: false,
  },
]

export const layer = Layer.effect(
  UmaNetwork,
  Effect.map(UmaDomain, (sandboxDomain) => ({
    find: (address) => {
      const { domain, name } = umaAddressParts(address)
      return Effect.succeed<UmaAnswer>(domain === sandboxDomain.toLowerCase() ? answerOf(name) : { _tag: "NotFound" })
    },
    providers: Effect.succeed(providersOf(sandboxDomain)),
  })),
).pipe(sandboxOnly("SandboxUma"))
