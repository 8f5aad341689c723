/** Schemas and tables without services: what a browser or a typed client imports. Source: D-002. */
export * as AccountField from "./account/AccountField.ts"
export {
  hasBankRail,
  identifierFields,
  identifiersOf,
  identityOf,
  mainIdentifier,
  railsOf,
  wayOf,
} from "./account/AccountIdentity.ts"
export * from "./account/AccountInfo.ts"
export * as AccountInfoRules from "./account/AccountInfoRules.ts"
export * as AccountRow from "./account/AccountRow.ts"
export * from "./account/AccountTypeRow.ts"
export * from "./account/AccountTypes.ts"
export * from "./account/BeneficiaryRules.ts"
export * from "./account/ExternalAccount.ts"
export * from "./account/ExternalAccountResource.ts"
export * from "./account/InternalAccount.ts"
export * from "./account/InternalAccountResource.ts"
export * from "./agent/Agent.ts"
export * from "./agent/AgentAction.ts"
export * from "./agent/AgentActionResource.ts"
export * from "./agent/AgentResource.ts"
export * from "./agent/Policy.ts"
export * from "./customer/BusinessProfile.ts"
export * from "./customer/Customer.ts"
export * from "./customer/CustomerResource.ts"
export * from "./errors/ErrorCodes.ts"
export * from "./errors/ErrorResource.ts"
export * from "./event/EventTypes.ts"
export * from "./ids/IdTypes.ts"
export * as CrossField from "./kit/CrossField.ts"
export * from "./kit/Instant.ts"
export * from "./kit/PageResource.ts"
export * from "./kit/Text.ts"
export * from "./money/Amount.ts"
export * from "./money/Currencies.ts"
export * from "./platform/Platform.ts"
export * from "./platform/PlatformConfigResource.ts"
export * from "./transaction/Transaction.ts"
export * from "./transaction/TransactionResource.ts"
