/**
 * What an embedder provides: ports for every external dependency, and settings of a deployment. Every name of a port's interface is here.
 * Source: architecture, "Load, ask, decide, commit" and "The sandbox is layers, never branches".
 */

export { clientSecretMin, knownSecrets, weaknessOf } from "./foundation/crypto/SecretStrength.ts"
export { boundedBytes } from "./foundation/kit/BoundedBytes.ts"
export { dropBytes, inChunks } from "./foundation/kit/ByteChunks.ts"
export type { OfferedRate, ServiceFee } from "./foundation/money/Rate.ts"
export { documentErrors } from "./model/document/Completeness.ts"
export type { Document, DocumentType } from "./model/document/Document.ts"
export type { DocumentRefusal } from "./model/document/DocumentRefusals.ts"
export type { FileType } from "./model/document/FileContent.ts"
export { type CodePrices, codePricesDefault } from "./model/limit/CodePrices.ts"
export type { DailyAmounts, DailyVolumeLimits } from "./model/limit/DailyVolume.ts"
export type { UmaCurrency, UmaReceiver } from "./model/receiver/FoundReceiver.ts"
export { PaymentRails } from "./model/transaction/PaymentRails.ts"
export { type PullConsent, QuotePullCriteria, type QuotePullCriterion } from "./model/transaction/QuotePullCriteria.ts"
export { type RailRefusal, RailRefusals } from "./model/transaction/RailRefusals.ts"
// Rules that an implementation of the identity checks applies
export type { OidcIdentity, RegisteredPasskey } from "./model/wallet/Credential.ts"
export { type Claims, identityOf, OidcClaimRules, type OidcFacts } from "./model/wallet/OidcClaimRules.ts"
export { OidcIssuers } from "./model/wallet/OidcIssuer.ts"
export {
  type AuthenticatorState,
  type ClientData,
  type PasskeyFacts,
  PasskeyRules,
} from "./model/wallet/PasskeyRules.ts"
export { RegistrationReasons } from "./model/wallet/RegistrationReason.ts"
// Ports
export { BankDirectory, type BankFilter, directoryOf } from "./ports/BankDirectory.ts"
export { BankExchange, type ReportOutcome } from "./ports/BankExchange.ts"
export * from "./ports/BankReconciliation.ts"
export { CsvMalformed, CsvReader, type CsvRow, rowBytesMax } from "./ports/CsvReader.ts"
export {
  type ArrivedDeposit,
  type ArrivedMoney,
  type DepositRefusal,
  DepositScreening,
  type DepositVerdict,
} from "./ports/DepositScreening.ts"
export { type DocumentCheck, DocumentChecks } from "./ports/DocumentChecks.ts"
export {
  BytesMissing,
  DocumentVault,
  isVaultKey,
  measured,
  type StoredBytes,
  VaultUnavailable,
} from "./ports/DocumentVault.ts"
export { type DomainAnswer, type DomainClaim, DomainOwnership, type DomainRecord } from "./ports/DomainOwnership.ts"
export { ExchangeRates } from "./ports/ExchangeRates.ts"
export {
  type AccountFundingRequest,
  type CollectionAnswer,
  type CollectionRequest,
  FundingInstructions,
  type FundingRequest,
} from "./ports/FundingInstructions.ts"
export {
  type InviteeResponse,
  InviteeResponses,
  type SentInvitation,
} from "./ports/InviteeResponses.ts"
export * from "./ports/Issuer.ts"
export { type DerivedKey, type KeyPurpose, KeyVault, vaultOf, vaultSecretMin } from "./ports/KeyVault.ts"
export { NetworkFees, type Withdrawal } from "./ports/NetworkFees.ts"
export { OidcChecks, type OidcPerson, OidcRefused, OidcUnavailable } from "./ports/OidcChecks.ts"
export { drawCode, type OtpFormat, type OtpMessage, OtpSender } from "./ports/OtpSender.ts"
export { type LivenessSession, OwnershipChecks, ownershipBySignature } from "./ports/Ownership.ts"
export {
  type PasskeyAssertion,
  type PasskeyAttestation,
  PasskeyChecks,
  PasskeyRefused,
} from "./ports/PasskeyChecks.ts"
export {
  type PortCheck,
  type PortFinding,
  portChecksIn,
  portChecksOf,
  withPortChecks,
} from "./ports/PortChecks.ts"
export { PortFaults, WithoutStoreFaults } from "./ports/PortFaults.ts"
export { PortUnavailable } from "./ports/PortUnavailable.ts"
export * from "./ports/Rails.ts"
export {
  type AnsweredRequest,
  type KeptRequest,
  type MaskedDigests,
  type MaskedRequest,
  RequestJournal,
} from "./ports/RequestJournal.ts"
export { refuseSandboxOnly, SandboxOnlyServices, sandboxOnly, sandboxOnlyName } from "./ports/SandboxOnly.ts"
export { type SavedWorld, SavedWorlds, SavedWorldsUnavailable, savedWorldsInMemory } from "./ports/SavedWorlds.ts"
export * from "./ports/ScaProvider.ts"
export { type SecurityCodePurpose, type SecurityCodeRequest, SecurityCodes } from "./ports/SecurityCodes.ts"
export { type ParsedSignature, SignatureChecks, signatureChecks } from "./ports/SignatureChecks.ts"
export * from "./ports/StablecoinProvider.ts"
export {
  type UmaAnswer,
  type UmaInformation,
  UmaNetwork,
  type UmaProvider,
  type UmaRequirements,
  type UmaTrouble,
} from "./ports/UmaNetwork.ts"
export { VaspDirectory } from "./ports/VaspDirectory.ts"
export * from "./ports/Verifier.ts"
export { WallTime } from "./ports/WallTime.ts"
export { type KeptMessage, WebhookInbox } from "./ports/WebhookInbox.ts"
export {
  generatedRootId,
  type PlatformWebhookKey,
  type WebhookKeyName,
  WebhookSigner,
} from "./ports/WebhookSigner.ts"
export {
  type EndpointRefusal,
  type WebhookRequest,
  type WebhookResult,
  WebhookTransport,
} from "./ports/WebhookTransport.ts"
export { WorldPacking } from "./ports/WorldPacking.ts"
export { AgentTokenLifetime } from "./settings/AgentTokenLifetime.ts"
// Settings
export { ApprovalPolicies } from "./settings/ApprovalPolicies.ts"
export { CardCurrencies } from "./settings/CardCurrencies.ts"
export { ConsolePermissions } from "./settings/ConsolePermissions.ts"
export { DailyVolume, type DailyVolumeSettings } from "./settings/DailyVolume.ts"
export { EndUserTerms } from "./settings/EndUserTerms.ts"
export { InvitationBaseUrl } from "./settings/InvitationBaseUrl.ts"
export { OwnershipRegions } from "./settings/OwnershipRegions.ts"
export { QuoteLifetimes } from "./settings/QuoteLifetimes.ts"
export { QuotePull } from "./settings/QuotePull.ts"
export { SandboxUmaDomains } from "./settings/SandboxUmaDomains.ts"
export { ScaRegions } from "./settings/ScaRegions.ts"
export { SessionLifetime } from "./settings/SessionLifetime.ts"
export { StrictChecks } from "./settings/StrictChecks.ts"
export { TimeTravel } from "./settings/TimeTravel.ts"
export { UmaDomain, umaDomains } from "./settings/UmaDomain.ts"
export { UseLimitSettings } from "./settings/UseLimitSettings.ts"
export { WebhookTrust } from "./settings/WebhookTrust.ts"
export { problemsOfNames, serviceNameOf, WireNames } from "./settings/WireNames.ts"
