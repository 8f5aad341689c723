/**
 * The UMA network of the sandbox: the addresses of `UmaScenarios` under the sandbox's domain, and a few providers.
 * Spec: 4.6; wire contract 5.10 and 7.4; wire contract areas 2.9 and 3.9; D-251, D-253, D-404.
 */
import { Effect, Layer } from "effect"
import { umaAddressParts } from "../model/customer/UmaAddress.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { type UmaAnswer, UmaNetwork, type UmaProvider, type UmaRequirements } from "../ports/UmaNetwork.ts"
import { SandboxUmaDomains } from "../settings/SandboxUmaDomains.ts"
import { UmaDomain } from "../settings/UmaDomain.ts"
import { UmaScenarios } from "./UmaScenarios.ts"

/** The limits of every receiver, in the smallest unit. */
const limits = { minAmount: 1, maxAmount: 10_000_000_000 }

/** The information that the receivers ask for. */
const needed = ["FULL_NAME"] as const

/** The currencies of the scenarios need the same information of both sides. */
const requirements: ReadonlyArray<UmaRequirements> = [
  ...new Set(UmaScenarios.entries.map(([, { currency }]) => currency)),
].map((currency) => ({ currency, customer: needed, counterparty: needed }))

const answerOf = (name: string): UmaAnswer => {
  const row = UmaScenarios.find(name)
  return row === undefined
    ? { _tag: "NotFound" }
    : {
        _tag: "Found",
        receiver: {
          currencies: [{ code: row.currency, ...limits }],
          requiredPayerData: needed.map((name) => ({ name, mandatory: true })),
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

/** Provides a `UmaNetwork` with the addresses under `UmaDomain` and `SandboxUmaDomains`; no other address exists. */
export const layer = Layer.effect(
  UmaNetwork,
  Effect.gen(function* () {
    const own = yield* UmaDomain
    const domains = [...(yield* SandboxUmaDomains), own].map((domain) => domain.toLowerCase())
    const [scenarioDomain = own] = domains
    return UmaNetwork.of({
      find: (address) => {
        const { domain, name } = umaAddressParts(address)
        return Effect.succeed<UmaAnswer>(domains.includes(domain) ? answerOf(name) : { _tag: "NotFound" })
      },
      providers: Effect.succeed(providersOf(scenarioDomain)),
      requirements: Effect.succeed(requirements),
      scenarioDomain,
    })
  }),
).pipe(sandboxOnly("SandboxUma"))
