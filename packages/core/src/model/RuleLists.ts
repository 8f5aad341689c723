/**
 * The list of all rule lists that decide requests. A test run measures the coverage of their rows.
 * Source: D-003.
 */
import { CreationRules } from "./account/ExternalAccountRules.ts"
import { ApprovalRules } from "./agent/ApprovalRules.ts"
import { AccessRules, SpendingRules } from "./agent/PolicyRules.ts"
import { ApprovalRowRules } from "./approval/ApprovalRowRules.ts"
import { VoteRules, VoterRules } from "./approval/VoteRules.ts"
import { CardAuthorizationRules } from "./card/CardAuthorizationRules.ts"
import { CardMessageRules } from "./card/CardMessageRules.ts"
import { RevealRules } from "./card/CardRevealRules.ts"
import { CardIssueRules, CardUpdateRules } from "./card/CardRules.ts"
import { DelegationRules } from "./card/DelegationRules.ts"
import { DeleteRules, ReplaceRules, UploadRules } from "./document/DocumentRules.ts"
import {
  InvitationCancellationRules,
  InvitationClaimRules,
  InvitationCreationRules,
} from "./invitation/InvitationRules.ts"
import { QuoteExecutionRules } from "./quote/QuoteExecutionRules.ts"
import { QuoteRules } from "./quote/QuoteRules.ts"
import { WithdrawalFeeRules } from "./receiver/WithdrawalFeeRules.ts"
import { ProviderLinkRules, RegistrationRules } from "./stablecoin/ProviderLinkRules.ts"
import { StablecoinOperationRules } from "./stablecoin/StablecoinOperationRules.ts"
import { TransferInRules } from "./transaction/TransferInRules.ts"
import { TransferOutRules } from "./transaction/TransferOutRules.ts"
import { RevocationRules } from "./wallet/CredentialRules.ts"
import { OidcClaimRules } from "./wallet/OidcClaimRules.ts"
import { OtpRules } from "./wallet/OtpRules.ts"
import { PasskeyRules } from "./wallet/PasskeyRules.ts"
import { SignedRequestRules } from "./wallet/SignedRequestRules.ts"
import { RetirementRules } from "./wallet/WalletRootRules.ts"

export const ruleLists: ReadonlyArray<{
  readonly name: string
  readonly rows: ReadonlyArray<{ readonly name: string }>
}> = [
  AccessRules,
  SpendingRules,
  ApprovalRules,
  ApprovalRowRules,
  VoterRules,
  VoteRules,
  CreationRules,
  TransferInRules,
  TransferOutRules,
  QuoteRules,
  QuoteExecutionRules,
  WithdrawalFeeRules,
  CardIssueRules,
  CardUpdateRules,
  CardAuthorizationRules,
  CardMessageRules,
  RevealRules,
  DelegationRules,
  UploadRules,
  ReplaceRules,
  DeleteRules,
  RevocationRules,
  RetirementRules,
  OtpRules,
  SignedRequestRules,
  PasskeyRules,
  OidcClaimRules,
  ProviderLinkRules,
  RegistrationRules,
  StablecoinOperationRules,
  InvitationCreationRules,
  InvitationClaimRules,
  InvitationCancellationRules,
]
