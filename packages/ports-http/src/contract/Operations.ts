/** Every operation of the contract, by port. Source: D-527. */
import { otpSenderOperations, scaProviderOperations, securityCodesOperations } from "./AuthenticationOperations.ts"
import {
  bankDirectoryOperations,
  exchangeRatesOperations,
  fundingInstructionsOperations,
} from "./DirectoryOperations.ts"
import { issuerOperations } from "./IssuerOperations.ts"
import {
  domainOwnershipOperations,
  networkFeesOperations,
  umaNetworkOperations,
  vaspDirectoryOperations,
} from "./NetworkOperations.ts"
import { portServerOperations } from "./PortServerOperations.ts"
import { railsOperations } from "./RailsOperations.ts"
import { depositScreeningOperations } from "./ScreeningOperations.ts"
import { documentVaultOperations } from "./VaultOperations.ts"
import { verifierOperations } from "./VerifierOperations.ts"

/** The operations of each port with the schemas of their requests and answers. */
export const operationsOfPorts = {
  Rails: railsOperations,
  Verifier: verifierOperations,
  ExchangeRates: exchangeRatesOperations,
  SecurityCodes: securityCodesOperations,
  ScaProvider: scaProviderOperations,
  OtpSender: otpSenderOperations,
  Issuer: issuerOperations,
  FundingInstructions: fundingInstructionsOperations,
  BankDirectory: bankDirectoryOperations,
  DocumentVault: documentVaultOperations,
  PortServer: portServerOperations,
  DepositScreening: depositScreeningOperations,
  UmaNetwork: umaNetworkOperations,
  NetworkFees: networkFeesOperations,
  VaspDirectory: vaspDirectoryOperations,
  DomainOwnership: domainOwnershipOperations,
}
