/**
 * The table of what takes each transition of each machine: a call, a job at its time, time alone, or a report from outside. A test checks
 * that every trigger has a row, and drives records through their machines.
 * Source: D-468.
 */
import type { JobKind } from "@countersign/core/store"

/** `call`: an operation of the contract; `isAtCreation`: the one that creates the record. `when`: the time of a job, or of a state that time alone gives. `by`: who reports it. */
export type Taker =
  | { readonly call: string; readonly isAtCreation?: true }
  | { readonly job: JobKind; readonly when?: string }
  | { readonly when: string }
  | { readonly by: string }

type Rows = { readonly [trigger: string]: ReadonlyArray<Taker> }

const calls = (...names: ReadonlyArray<string>): ReadonlyArray<Taker> => names.map((call) => ({ call }))
const atCreation = (...names: ReadonlyArray<string>): ReadonlyArray<Taker> =>
  names.map((call) => ({ call, isAtCreation: true }))
const jobs = (...names: ReadonlyArray<JobKind>): ReadonlyArray<Taker> => names.map((job) => ({ job }))
const at = (when: string, job?: JobKind): Taker => (job === undefined ? { when } : { job, when })
const by = (who: string): Taker => ({ by: who })

const submits = ["agentCreateTransferIn", "agentCreateTransferOut", "agentExecuteQuote"] as const
const adds = atCreation("createCustomerExternalAccount", "createPlatformExternalAccount", "agentCreateExternalAccount")
const proofs = [
  ...calls("verifyExternalAccountOwnership", "verifyPlatformExternalAccountOwnership"),
  by("The provider of liveness checks"),
]
const statusChanges = [...calls("sandboxSetExternalAccountStatus"), ...jobs("account.verify"), by("The rail")]
const rail = by("The rail")
const deposit = by("The bank, when a deposit arrives")
const quotes = atCreation("createQuote", "agentCreateQuote")
const verifier = [...calls("createVerification"), by("The provider of verifications")]
const deletion = calls("deleteCustomerById")
const uploads = calls("uploadDocument", "replaceDocument", "uploadCustomersCsv")
const minted = atCreation("createStablecoinMint", "createStablecoinBurn")

const refusing = [
  ...calls("createStablecoinMint", "createStablecoinBurn", "registerStablecoin"),
  ...jobs("stablecoin.check", "stablecoin.describe", "stablecoin.follow"),
]

const check = (...created: ReadonlyArray<string>): Rows => {
  const taken = [...atCreation(...created), ...verifier]
  return { Register: atCreation(...created), Await: taken, Approve: taken, Reject: taken, Suspend: taken }
}

const outgoing: Rows = {
  Create: [...quotes, ...calls("createTransferOut", "agentCreateTransferOut", "approveAgentAction")],
  Challenge: [...quotes, ...calls("executeQuote", "authorizeQuote")],
  Authorize: calls("authorizeQuote"),
  Expire: [at("`expiresAt` of the quote", "quote.end")],
  Begin: [
    ...calls("executeQuote", "agentExecuteQuote", "authorizeQuote", "approveAgentAction", "sandboxSend"),
    ...atCreation("createTransferOut", "agentCreateTransferOut"),
    by("The bank, when the payer's money arrives"),
  ],
  Deliver: [...jobs("transfer.push", "quote.deliver"), rail],
  Conclude: [...jobs("transfer.cancel", "transfer.refund"), rail],
  Fail: [
    ...jobs("transfer.push", "quote.pull", "quote.deliver"),
    at("`expiresAt` of the challenge", "quote.end"),
    rail,
  ],
  Return: [...jobs("transfer.confirm"), rail],
}

export const transitionTakers: { readonly [machine: string]: Rows } = {
  AgentAction: {
    SubmitHeld: calls(...submits),
    SubmitAutomatic: calls(...submits, "agentCreateQuote"),
    Approve: [...calls("approveAgentAction"), by("The last needed approver, on the console")],
    Reject: [...calls("rejectAgentAction"), at("the end of the time to approve", "approval.expire")],
    ExecutionFails: [
      ...atCreation(...submits, "approveAgentAction"),
      ...jobs("transfer.pull", "transfer.push", "quote.pull", "quote.deliver", "quote.end"),
      rail,
    ],
  },
  ExternalAccount: {
    AddAwaiting: adds,
    AddVerified: adds,
    AddUnproven: adds,
    AddForReview: adds,
    FailProof: proofs,
    Prove: proofs,
    Challenge: calls("createExternalAccountOwnershipChallenge", "createPlatformExternalAccountOwnershipChallenge"),
    Activate: statusChanges,
    Review: statusChanges,
    Deactivate: [...adds, ...statusChanges],
  },
  IncomingTransaction: {
    Pull: calls("createTransferIn", "agentCreateTransferIn", "approveAgentAction"),
    Fund: [...calls("sandboxFundInternalAccount"), deposit],
    Receive: [...calls("sandboxReceive"), by("The UMA network")],
    Hold: [...atCreation("sandboxFundInternalAccount"), ...jobs("deposit.ask", "deposit.screen"), deposit],
    Refuse: [...calls("sandboxFundInternalAccount", "sandboxReceive"), deposit],
    Settle: [
      ...calls("approvePendingPayment"),
      ...jobs("transfer.pull", "payment.question", "deposit.ask", "deposit.screen"),
      rail,
    ],
    Reject: [...calls("rejectPendingPayment"), ...jobs("payment.question")],
    Fail: [
      ...calls("approvePendingPayment"),
      ...jobs("transfer.pull", "payment.question", "deposit.ask", "deposit.screen"),
      at("The end of the time to decide", "payment.time-out"),
      at("The end of the time to release a deposit", "deposit.expire"),
      rail,
    ],
    Return: [rail],
    Refund: jobs("deposit.refund"),
  },
  IncomingRefund: {
    Begin: [
      ...calls("sandboxFundInternalAccount"),
      ...jobs("deposit.ask", "deposit.screen", "deposit.expire"),
      deposit,
    ],
    Complete: jobs("deposit.refund"),
    Fail: jobs("deposit.refund"),
    Retry: calls("retryRefund"),
  },
  OutgoingTransaction: outgoing,
  Quote: outgoing,
  Refund: {
    Begin: [...jobs("transfer.push", "transfer.cancel", "transfer.confirm", "quote.deliver"), rail],
    Complete: [...jobs("transfer.refund", "transfer.cancel", "transfer.push"), rail],
    Fail: [...jobs("transfer.refund"), rail],
    Retry: calls("retryRefund"),
  },
  Card: {
    Issue: calls("createCard"),
    Activate: [...jobs("card.provision"), by("The card issuer")],
    Reject: [...jobs("card.provision"), by("The card issuer")],
    Freeze: calls("updateCardById"),
    Unfreeze: calls("updateCardById"),
    Close: [...calls("updateCardById"), ...deletion],
  },
  CardTransaction: {
    Authorize: [
      ...calls("sandboxSimulateCardAuthorization", "sandboxSimulateCardAuthorizationAdvice"),
      ...calls("sandboxSimulateCardCreditAuthorization"),
      by("The card network"),
    ],
    SettlePart: [...calls("sandboxSimulateCardClearing"), ...jobs("card.collect"), by("The card network")],
    Settle: [
      ...calls("sandboxSimulateCardClearing"),
      ...jobs("card.collect"),
      at("The end of the authorization", "card.expire"),
      by("The card network"),
    ],
    Refund: [...calls("sandboxSimulateCardReturn"), by("The card network")],
    ReverseRefund: [...calls("sandboxSimulateCardReturnReversal"), by("The card network")],
    FailPull: jobs("card.collect"),
    Collect: jobs("card.collect"),
  },
  DelegatedKey: {
    Register: calls("createDelegatedKey"),
    Activate: calls("createDelegatedKey"),
    Revoke: [...calls("revokeDelegatedKey"), ...deletion],
  },
  Invitation: {
    Create: calls("createInvitation"),
    Claim: [...calls("claimInvitation"), ...jobs("invitation.claim")],
    Expire: [at("`expiresAt` of the invitation", "invitation.end")],
    Cancel: calls("cancelInvitation"),
    DeleteInviter: deletion,
  },
  Kyc: check("createCustomer", "uploadCustomersCsv"),
  Kyb: check("createCustomer", "uploadCustomersCsv"),
  OwnerKyc: check("createBeneficialOwner"),
  Verification: { FindErrors: verifier, Review: verifier, Begin: verifier, Approve: verifier, Reject: verifier },
  Document: {
    Upload: calls("uploadDocument"),
    Replace: calls("replaceDocument"),
    Submit: calls("createVerification"),
    Reopen: verifier,
    Retain: verifier,
    Delete: calls("deleteDocument"),
    End: deletion,
  },
  File: {
    Receive: uploads,
    Keep: uploads,
    Abandon: [...uploads, at("An hour after the upload", "file.sweep")],
    Erase: jobs("file.erase"),
  },
  BulkImport: {
    Accept: calls("uploadCustomersCsv"),
    Begin: jobs("import.run"),
    Complete: jobs("import.run"),
    Fail: jobs("import.run"),
  },
  Session: {
    Issue: calls("verifyAuthCredential"),
    Refresh: calls("refreshAuthSession"),
    Revoke: [...calls("revokeAuthSession", "revokeAuthCredential", "endCustomerAccess"), ...deletion],
    Expire: [at("`expiresAt` of the session")],
  },
  WebhookEndpoint: {
    Create: [by("The deployment, when it sets the platform up")],
    RequireProof: calls("updatePlatformConfig", "enableWebhookEndpoint"),
    Trust: calls("updatePlatformConfig", "enableWebhookEndpoint"),
    Prove: jobs("webhook.prove"),
    Disable: calls("disableWebhookEndpoint"),
    Unset: calls("updatePlatformConfig"),
  },
  WebhookCircuit: {
    Create: [...calls("updatePlatformConfig", "enableWebhookEndpoint")],
    Trip: jobs("webhook.deliver"),
    Probe: jobs("webhook.deliver"),
    Fail: jobs("webhook.deliver"),
    Succeed: jobs("webhook.deliver", "webhook.test", "webhook.resend"),
  },
  StablecoinProviderAccount: {
    Link: calls("linkStablecoinProviderAccount"),
    Refuse: refusing,
    Withdraw: refusing,
  },
  StablecoinIssuance: {
    Review: calls("registerStablecoin"),
    Provision: calls("registerStablecoin"),
    Complete: [...calls("registerStablecoin"), ...jobs("stablecoin.describe")],
    Approve: jobs("stablecoin.describe"),
    Reject: jobs("stablecoin.describe"),
    Fail: jobs("stablecoin.describe"),
  },
  StablecoinOperation: {
    Accept: minted,
    AwaitFunding: [...minted, ...jobs("stablecoin.attempt")],
    Submit: [...minted, ...jobs("stablecoin.attempt")],
    Fund: jobs("stablecoin.follow"),
    Expire: [at("`expiresAt` of the operation", "stablecoin.expire")],
    Begin: jobs("stablecoin.follow"),
    Refuse: jobs("stablecoin.follow", "stablecoin.attempt"),
    Deliver: jobs("stablecoin.follow"),
    Fail: jobs("stablecoin.follow"),
  },
}
