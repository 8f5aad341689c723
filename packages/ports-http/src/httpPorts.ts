/**
 * The ports of a bank that answers over HTTP, as layers.
 * Source: D-527.
 */
import {
  BankDirectory,
  DepositScreening,
  DocumentVault,
  DomainOwnership,
  ExchangeRates,
  FundingInstructions,
  Issuer,
  NetworkFees,
  OtpSender,
  Rails,
  ScaProvider,
  SecurityCodes,
  UmaNetwork,
  VaspDirectory,
  Verifier,
  withPortChecks,
} from "@countersign/core/ports"
import { Context, Data, Effect, Layer } from "effect"
import { makePortClient, type PortClient } from "./call/PortClient.ts"
import type { PortOptions } from "./call/PortOptions.ts"
import { portServerChecks } from "./call/PortServerChecks.ts"
import { operationsOfPorts } from "./contract/Operations.ts"
import {
  otpSenderOverHttp,
  type ScaTraits,
  scaProviderOverHttp,
  securityCodesOverHttp,
} from "./ports/AuthenticationOverHttp.ts"
import { bankDirectoryOverHttp, exchangeRatesOverHttp, fundingInstructionsOverHttp } from "./ports/DirectoryOverHttp.ts"
import { documentVaultOverHttp } from "./ports/DocumentVaultOverHttp.ts"
import { type IssuerTraits, issuerOverHttp } from "./ports/IssuerOverHttp.ts"
import {
  depositScreeningOverHttp,
  domainOwnershipOverHttp,
  networkFeesOverHttp,
  umaNetworkOverHttp,
  vaspDirectoryOverHttp,
} from "./ports/NetworksOverHttp.ts"
import { railsOverHttp } from "./ports/RailsOverHttp.ts"
import { verifierOverHttp } from "./ports/VerifierOverHttp.ts"
import { portSecretProblem } from "./signing/PortSecretProblem.ts"

/** The address and secrets of a bank, and what its ports decide. */
export interface HttpPortsOptions extends PortOptions {
  /** What the service must know of the issuer before it asks. Default: `all` offers no cards. */
  readonly issuer?: IssuerTraits
  /** What the provider of strong authentication decides beyond factors and challenges. */
  readonly sca?: ScaTraits
}

/** The options cannot be used. The message never contains a secret. */
export class PortOptionsError extends Data.TaggedError("PortOptionsError")<{ readonly message: string }> {}

/** Whether a bank can answer below this address. */
export const isPortsUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { hash, password, protocol, search, username } = new URL(text)
  return /^https?:$/u.test(protocol) && [hash, password, search, username].every((part) => part === "")
}

const problemOf = ({ secrets, url }: PortOptions): string | undefined => {
  if (!isPortsUrl(url)) return "`url` must be an http or https address without credentials, query and fragment."
  const problem = portSecretProblem(secrets)
  return problem === undefined ? undefined : `\`secrets\`: ${problem}.`
}

/** The connections to one bank, which its ports share. */
class PortConnections extends Context.Service<
  PortConnections,
  { readonly client: PortClient; readonly checksOf: Effect.Success<ReturnType<typeof portServerChecks>> }
>()("@countersign/ports-http/PortConnections") {}

const connect = (options: PortOptions) =>
  Effect.all({ client: makePortClient(options), checksOf: portServerChecks(options) })

/**
 * Returns a layer for each port, and `all`: those that live mode requires. They share their connections. A layer fails with
 * `PortOptionsError` before anything is sent.
 */
export const httpPorts = (options: HttpPortsOptions) => {
  const connections = Layer.effect(
    PortConnections,
    Effect.suspend(() => {
      const message = problemOf(options)
      return message === undefined ? connect(options) : Effect.fail(new PortOptionsError({ message }))
    }),
  )
  const over = <I, S extends object>(
    name: keyof typeof operationsOfPorts,
    port: Context.Key<I, S>,
    make: (client: PortClient) => S,
  ) =>
    Layer.provide(
      Layer.effect(
        port,
        Effect.map(PortConnections, ({ checksOf, client }) =>
          withPortChecks(make(client), checksOf(operationsOfPorts[name])),
        ),
      ),
      connections,
    )
  const required = {
    rails: over("Rails", Rails, railsOverHttp),
    exchangeRates: over("ExchangeRates", ExchangeRates, exchangeRatesOverHttp),
    verifier: over("Verifier", Verifier, verifierOverHttp),
    securityCodes: over("SecurityCodes", SecurityCodes, securityCodesOverHttp),
    scaProvider: over("ScaProvider", ScaProvider, scaProviderOverHttp(options.sca ?? {})),
    otpSender: over("OtpSender", OtpSender, otpSenderOverHttp),
  }
  const issuer = over("Issuer", Issuer, issuerOverHttp(options.issuer ?? {}))
  const { exchangeRates, otpSender, rails, scaProvider, securityCodes, verifier } = required
  return {
    ...required,
    issuer,
    all: Layer.mergeAll(
      rails,
      exchangeRates,
      verifier,
      securityCodes,
      scaProvider,
      otpSender,
      options.issuer === undefined ? Layer.provide(Issuer.layerNone, connections) : issuer,
    ),
    /** Not in `all`: without it payers get no instructions. */
    fundingInstructions: over("FundingInstructions", FundingInstructions, fundingInstructionsOverHttp),
    /** Not in `all`: without it the directory is that of the service. */
    bankDirectory: over("BankDirectory", BankDirectory, bankDirectoryOverHttp),
    /** Not in `all`: it is the option `documents` of `embed`. */
    documentVault: over("DocumentVault", DocumentVault, documentVaultOverHttp),
    /** Not in `all`, as the next ones: each replaces a default of the service. */
    depositScreening: over("DepositScreening", DepositScreening, depositScreeningOverHttp),
    umaNetwork: over("UmaNetwork", UmaNetwork, umaNetworkOverHttp),
    networkFees: over("NetworkFees", NetworkFees, networkFeesOverHttp),
    vaspDirectory: over("VaspDirectory", VaspDirectory, vaspDirectoryOverHttp),
    domainOwnership: over("DomainOwnership", DomainOwnership, domainOwnershipOverHttp),
  }
}
