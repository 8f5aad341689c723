/** Surviving mutants of areas that have been read, and why they are no fault: a run does not print them again. */
import type { Explanation } from "./Report.ts"

export const explainedInAreas: ReadonlyArray<Explanation> = [
  {
    why: `**For the compiler only.** The condition narrows a type. Without it the result is the same, because the other case does not occur. A list has no \`undefined\`, and no account has an
absent id. The fee of a withdrawal and the base address of an invitation that the rules accept are known. A page that others follow is not empty, and a map has no key undefined. A quote's transaction has its exchange, an agent's action its agent, a run an attempt. A challenged session has an answer, and only a transfer in has a source of this kind. An event has its platform and a screened deposit its customer. An order that the rules accept has its accounts and amount, and a plan the accounts that it touches. Only a platform's callers vote. What names another record has read it. A quote that the rules allow has its price. A cancellation is of a card transaction or of a transfer, and nothing is before an absent time.
A key that the rules allow has its card and its account. A store whose roots a process has opened has a record of them, and a wallet's account its customer. A lane names jobs that exist, and a set has a sum of each account and counter that it moves.
A simulated bank writes messages that the table of shapes has.
An absent member is undefined, and what is read of nothing is a defect either way.`,
    mutants: [
      "adapter-bank-files/src/simulator/IsoAnswers.ts: shape === undefined => false",
      "adapter-memory/src/DeliveryJobs.ts: job?.payload => job.payload",
      "service/wallet/RootVault.ts: record === undefined => false",
      "decision/wallet/CredentialDecision.ts: customer === undefined => false",
      "adapter-postgres/src/commit/BatchParts.ts: account === undefined => false",
      "adapter-postgres/src/commit/BalanceDeltas.ts: counter === undefined => false",
      "service/quote/QuoteChallenges.ts: region === undefined => false",
      "service/quote/QuoteCreationSteps.ts: sourceId === undefined => false",
      "service/quote/QuoteFundings.ts: stored !== undefined => true",
      "decision/quote/QuoteJobDecision.ts: exchange?.pull => exchange.pull",
      "decision/customer/CustomerFields.ts: data.region === undefined => false",
      "decision/quote/QuoteJobDecision.ts: action === undefined || agent === undefined => action === undefined && agent === undefined",
      "service/quote/QuoteFundings.ts: exchange?.pull === undefined || submittedAt === undefined => false",
      "decision/transaction/TransferInDecision.ts: source === undefined || destination === undefined || amount === undefined => false",
      "service/sca/ScaFactors.ts: { enrollment: undefined } => {}",
      "service/event/Webhooks.ts: last?.failure => last.failure",
      "operation/Listing.ts: last !== undefined => true",
      "operation/KnownCallers.ts: first !== undefined => true",
      "decision/approval/ConsoleSessionDecision.ts: proof === undefined => false",
      'service/approval/ActionSteps.ts: requested.type !== "TRANSFER_IN" => false',
      "foundation/crypto/Stamp.ts: text === undefined => false",
      'service/event/WebhookSending.ts: read.record("Platform", platformId)?.data => read.record("Platform", platformId).data',
      'service/account/DepositScreenings.ts: found.record("Customer", customerId)?.data => found.record("Customer", customerId).data',
      "decision/receiver/WithdrawalFeeDecision.ts: { application: 0, network: 0 } => {}",
      'service/receiver/UmaArrivals.ts: "" => "Stryker was here!"',
      "decision/invitation/InvitationDecision.ts: baseUrl === undefined => false",
      'decision/quote/QuoteCreationDecision.ts: rate === undefined || typeof priced !== "object" => false',
      'decision/approval/ActionVote.ts: caller._tag === "Platform" => true',
      "service/approval/ActionReads.ts: found?.record => found.record",
      'decision/approval/ActionPlan.ts: [] => ["Stryker was here"]',
      "decision/transaction/TransferInDecision.ts: source === undefined => false",
      "decision/transaction/TransferOutDecision.ts: source === undefined || destination === undefined => false",
      "decision/transaction/ApprovalDecision.ts: data.approval?.decideBy !== undefined => true",
      'service/transaction/Transactions.ts: "Transfer" => ""',
      "decision/card/DelegatedKeyDecision.ts: card === undefined || account === undefined || binding === undefined => (card === undefined || account === undefined) && binding === undefined",
    ],
  },
  {
    why: `**A case that the tables do not contain.** Each currency that is no crypto asset has an account type, and its rails. A row of an import names neither a region nor terms.`,
    mutants: [
      "service/bulk/BulkImports.ts: { terms: yield* EndUserTerms, scaRegions: yield* ScaRegions } => {}",
      'model/quote/DestinationRails.ts: [] => ["Stryker was here"]',
    ],
  },
  {
    why: `**A second protection.** A rail's outcome of a pull is recorded with the fence of its job, so that none is recorded twice; reports of the rail change no pull of a quote. Two workers that
have both claimed a job cannot both commit it. A funding source of no customer belongs to no cardholder. A credential's type is known before its challenge is decided.
A caller who moves the clock or signs in has a token. A token that is not deleted has a valid secret. A wallet is opened after the other account in its currency, and its id follows. A record of another platform does not exist for its caller. One transaction at most has a token, and one key of a funding source is active. A card that the rules allow has the accounts that it names. A credential that is registered has its customer, and a wrong code its refusal.
The shape of a bank's message requires its id.`,
    mutants: [
      'adapter-bank-files/src/iso20022/Statements.ts: "the message has no id" => ""',
      'service/card/CardTransactionReads.ts: "desc" => ""',
      'service/card/DelegatedKeys.ts: "desc" => ""',
      'decision/card/CardIssueDecision.ts: [] => ["Stryker was here"]',
      'decision/wallet/CredentialDecision.ts: [] => ["Stryker was here"]',
      'decision/wallet/OtpSignInDecision.ts: failed?.refusal ?? unauthorizedFor("INVALID_OTP_CODE") => failed?.refusal && unauthorizedFor("INVALID_OTP_CODE")',
      'service/receiver/ReceiverReads.ts: type === "EMBEDDED_WALLET" => true',
      "service/ledger/BankReports.ts: orders.filter((order) => order.platformId === platformId) => orders",
      "service/receiver/ReceiverReads.ts: (a, b) => isWallet(a) - isWallet(b) => () => undefined",
      "service/request/RequestSending.ts: validSecrets(token.data.secrets, now).length > 0 => validSecrets(token.data.secrets, now).length >= 0",
      'decision/quote/QuoteJobDecision.ts: !isAwaited || outcome._tag === "Later" => !isAwaited && outcome._tag === "Later"',
      "decision/card/CardIssueDecision.ts: account.customerId !== null => true",
      'service/time/Clocks.ts: "" => "Stryker was here!"',
      'service/approval/ConsoleSessions.ts: "" => "Stryker was here!"',
      'decision/wallet/PasskeySignInDecision.ts: passkey.type !== "PASSKEY" => false',
    ],
  },
  {
    why: `**Redundant.** A payment that counts toward no limit gives nothing back. An answer to no open challenge is refused before it is looked at. An account without an
id is found nowhere. Sessions that move by no time stay where they are. A process that runs all jobs claims until none is left, whatever a claim
leaves to others. The first of the needed requests is needed. The label of a hidden value is for a reader. Descriptions of fail points are for readers. Only a file that is a document is used. An address is compared in upper case as well as in lower. An internal account's id names no external account. Why a signature is not valid is for readers. Reads in one trip find what they find one after another. A member that is undefined is neither stored nor sent.
Lines and jobs that are put in order have different keys. No job has the lane of those without one, and the unfinished ones are listed in any order. UTF-8 is the usual
encoding of texts. A key in base64 has lines. A signal without watchers reaches none. Digests that are cut off may be too many. No wallet has the address of a deposit
that names none.`,
    mutants: [
      'service/transaction/DepositDeclarations.ts: "" => "Stryker was here!"',
      'service/card/CardPasswords.ts: { label: "3-D Secure password" } => {}',
      "adapter-bank-files/src/reconciliation/Reconcile.ts: a.key < b.key => a.key <= b.key",
      "adapter-memory/src/DueJobs.ts: a.id < b.id => a.id <= b.id",
      "adapter-memory/src/DueJobs.ts: job.lane === undefined => false",
      "adapter-memory/src/Jobs.ts: a.sequence - b.sequence => a.sequence + b.sequence",
      "adapter-memory/src/Claiming.ts: lane === undefined => false",
      "adapter-sftp/src/server/RemoteFiles.ts: a.name < b.name => a.name <= b.name",
      "store/ChangeSignal.ts: watchers.size === 0 => false",
      "sandbox/FundingAddresses.ts: length / 32 => length * 32",
      'adapter-keys/src/Pkcs11Token.ts: "utf8" => ""',
      'adapter-keys/src/PrivateKey.ts: [] => ["Stryker was here"]',
      'service/document/Documents.ts: { _tag: "Unsuitable" } => {}',
      'service/bulk/BulkImports.ts: { concurrency: "unbounded" } => {}',
      'model/account/WalletSignature.ts: "65 bytes" => ""',
      'model/account/WalletSignature.ts: "a Spark address" => ""',
      "decision/receiver/ReceiverDecision.ts: receiver.toLowerCase() => receiver.toUpperCase()",
      "decision/audit/Audit.ts: resender === undefined => false",
      'service/quote/QuoteReads.ts: funding !== "ACCOUNT" => true',
      "model/invitation/InvitationResource.ts: firstName === undefined => false",
      "decision/transaction/VolumeChanges.ts: counters.length === 0 => false",
      "service/quote/QuoteAuthorizations.ts: false => true",
      "service/time/Clocks.ts: now < target.success => true",
      "adapter-http/src/tape/NeededRequests.ts: index > first => index >= first",
      'foundation/crypto/ExportBundle.ts: { label: "mnemonic" } => {}',
      'service/agent/PolicyUpdateSteps.ts: [] => ["Stryker was here"]',
      "operation/Jobs.ts: () => false => () => undefined",
      "operation/Jobs.ts: false => true",
      `operation/FailPoints.ts: "A job's handler has ended, with or without failure, and the job is not yet returned." => ""`,
      'operation/FailPoints.ts: "The bytes of files are erased and their records not yet updated." => ""',
    ],
  },
  {
    why: `**Unreachable in the service.** The one operation without credentials has its secret in its path, so that its request is masked and cannot be sent again.`,
    mutants: ['service/request/RequestSending.ts: kind === "NOBODY" => false'],
  },
]
