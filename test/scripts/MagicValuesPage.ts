/** The page of the sandbox's magic values, made from its tables. Source: architecture, "One table per concept; everything else is derived". */
import { umaDomains } from "@countersign/core/ports"
import * as Sandbox from "@countersign/core/sandbox"
import { code, page, table } from "./Markdown.ts"

const seconds = (millis: number) => {
  if (millis % 86_400_000 === 0) return `${millis / 86_400_000} days`
  return millis % 60_000 === 0 ? `${millis / 60_000} minutes` : `${millis / 1000} s`
}

const ofQuote = ({ delayMillis, outcome, refund, returnsAfterMillis }: Sandbox.QuoteBehaviour): string => {
  const after = delayMillis === 0 ? "" : `, after ${seconds(delayMillis)}`
  const returned =
    returnsAfterMillis === undefined ? "" : `, and the receiving bank returns it ${seconds(returnsAfterMillis)} later`
  if (outcome._tag === "Done") return `completes${after}${returned}`
  const back = refund === "fails" ? "and the refund fails too" : "and the money comes back"
  return outcome._tag === "Cancelled"
    ? `is cancelled by the user, ${back}`
    : `fails${"reason" in outcome ? `: ${code(outcome.reason)}` : ""}, ${back}`
}

const ofCard = (behaviour: Sandbox.CardBehaviour): string => {
  if (behaviour._tag === "Refused") return "is refused"
  return behaviour._tag === "Waiting" ? "never comes" : `comes after ${seconds(behaviour.millis)}`
}

const ofLink = ({ afterMillis, effect }: Sandbox.LinkBehaviour): string =>
  afterMillis === 0 ? effect : `is active, and after ${seconds(afterMillis)} the provider ${effect}`

const ofToken = ({ afterMillis, first, last }: Sandbox.TokenBehaviour): string =>
  afterMillis === 0 ? code(last) : `${code(first)}, and after ${seconds(afterMillis)} ${code(last)}`

const ofOperation = (behaviour: Sandbox.OperationBehaviour): string => {
  if (behaviour.isUnavailable === true) return "is answered 503"
  if (behaviour.isNeverFunded === true) return "is never funded from outside, and expires"
  const processing = `${seconds(Sandbox.fundingAfterMillis)} in its first status and ${seconds(behaviour.processingMillis)} in ${code("PROCESSING")}`
  return `${behaviour.failure === undefined ? "completes" : `fails: ${code(behaviour.failure)}`}, after ${processing}`
}

const names = (rows: ReadonlyArray<readonly [string, unknown]>): ReadonlyArray<ReadonlyArray<string>> =>
  rows.map(([suffix, name]) => [code(suffix), code(String(name))])

const suffixes = (head: string, rows: ReadonlyArray<ReadonlyArray<string>>, other: string): string =>
  table(["Ends in", head], [...rows, ["any other", other]])

export const magicValuesPage = (): string =>
  page(
    "Magic values of the sandbox",
    "the tables in `packages/core/src/sandbox`",
    "What a name or a number ends in chooses what happens. Of an account outside it is the main identifier: account number, IBAN, CLABE, wallet address; of an identifier with a domain (a PIX e-mail key) the part before the `@`. Times go by the sandbox's clock, which [moves on command](time.md).",
    "## Transfers from and to an external account",
    suffixes(
      "The transfer",
      Sandbox.TransferSuffixes.entries.map(([suffix, { delayMillis, refusal }]) => [
        code(suffix),
        `fails ${delayMillis === 0 ? "at once" : `after ${seconds(delayMillis)}`}: ${code(refusal)}`,
      ]),
      "succeeds",
    ),
    "## Quotes to an external account",
    suffixes(
      "The payment, once the quote is executed",
      Sandbox.QuoteSuffixes.entries.map(([suffix, behaviour]) => [code(suffix), ofQuote(behaviour)]),
      "completes",
    ),
    "## UMA addresses",
    `The name before \`@${umaDomains.sandbox}\`, the domain of the sandbox's receivers (a platform's own, which \`GET /config\` shows, is that of its customers).`,
    table(
      ["Address", "The payment"],
      Sandbox.UmaScenarios.entries.map(([name, { behaviour, currency }]) => [
        code(name),
        `${ofQuote(behaviour)}; in ${currency}`,
      ]),
    ),
    "## Names of beneficiaries",
    "`105` is answered 400 when the account is created; the others are its `beneficiaryVerificationStatus`.",
    suffixes("The check", names(Sandbox.BeneficiarySuffixes.entries), code(Sandbox.beneficiaryVerification(""))),
    "## Trust in an account",
    "For customers under strong authentication. The start of a request answers `{}`, and the confirmation accepts any `code`.",
    suffixes("The request", names(Sandbox.TrustSuffixes.entries), "is challenged"),
    "## Customers",
    "A person when created, by the end of `fullName`:",
    suffixes("`kycStatus`", names(Sandbox.CustomerSuffixes.entries), code(Sandbox.individualCheck(""))),
    "A person sent to verification, by the end of `fullName`, where nothing is missing:",
    suffixes("The verification", names(Sandbox.PersonSuffixes.entries), code(Sandbox.personVerification(""))),
    "A business sent to verification, by the end of its `registrationNumber`, where nothing is missing:",
    suffixes("The verification", names(Sandbox.BusinessSuffixes.entries), code(Sandbox.businessVerification(""))),
    "The account in US dollars, by the end of `platformCustomerId`:",
    suffixes(
      "International collection account",
      Sandbox.CollectionSuffixes.entries.map(([suffix, { delayMillis }]) => [
        code(suffix),
        `after ${seconds(delayMillis)}`,
      ]),
      "none",
    ),
    "A beneficial owner, by the end of `lastName`:",
    suffixes("`kycStatus`", names(Sandbox.OwnerSuffixes.entries), code(Sandbox.ownerCheck(""))),
    "A document, by the end of `documentNumber`, when it is uploaded or replaced:",
    suffixes("400 with the code", names(Sandbox.DocumentUploadSuffixes.entries), "accepted"),
    "A document, by the end of `documentNumber`, in a submission that looks at documents (a person whose `fullName` ends in 001 or 003):",
    suffixes("The error", names(Sandbox.DocumentSubmissionSuffixes.entries), "none"),
    "An import of customers, by the end of the file's name without its ending:",
    suffixes(
      "The import",
      Sandbox.ImportSuffixes.entries.map(([suffix, start]) => [
        code(suffix),
        start._tag === "Fail" ? "fails as a whole" : `starts after ${seconds(start.delayMillis)}`,
      ]),
      "starts at once",
    ),
    "## Cards",
    "By the end of a given `platformCardId`, else of the `cardholderId`:",
    suffixes(
      "The card",
      Sandbox.CardSuffixes.entries.map(([suffix, behaviour]) => [code(suffix), ofCard(behaviour)]),
      "comes at once",
    ),
    "By the end of `merchant.descriptor` of a simulated authorization:",
    suffixes(
      "The purchase",
      [
        ...Sandbox.MerchantDeclines.entries.map(([suffix, reason]) => [code(suffix), `is declined: ${code(reason)}`]),
        ...Sandbox.MerchantPulls.entries.map(([suffix, behaviour]) => [
          code(suffix),
          `is approved, and its money ${ofCard(behaviour)}`,
        ]),
      ],
      "is approved",
    ),
    "## Stablecoins",
    "The link of a provider account, by the end of `apiClientId`:",
    suffixes(
      "The provider, or the link",
      Sandbox.ProviderLinkSuffixes.entries.map(([suffix, behaviour]) => [code(suffix), ofLink(behaviour)]),
      "is active",
    ),
    "A registered token, by the end of `providerTokenIdentifier`:",
    suffixes(
      "`issuanceStatus`",
      Sandbox.StablecoinTokenSuffixes.entries.map(([suffix, behaviour]) => [code(suffix), ofToken(behaviour)]),
      code("PROVISIONED"),
    ),
    "A mint or burn, by the end of the main identifier of the account that is debited, else of the account that is paid:",
    suffixes(
      "The operation",
      Sandbox.StablecoinOperationSuffixes.entries.map(([suffix, behaviour]) => [code(suffix), ofOperation(behaviour)]),
      ofOperation(Sandbox.completes),
    ),
    "## Invitations",
    "By the end of `firstName`:",
    suffixes(
      "The invitation",
      Sandbox.InvitationSuffixes.entries.map(([suffix, { afterMillis, effect }]) => [
        code(suffix),
        effect === "claimed"
          ? `is claimed after ${seconds(afterMillis)} by an address of the sandbox`
          : `expires after ${seconds(afterMillis)}, whatever ${code("expiresAt")} says`,
      ]),
      "waits for a claim",
    ),
    "## Deposits by funding instructions",
    `The end of ${code("source.accountIdentifier")} in ${code("POST /sandbox/internal-accounts/{accountId}/fund")} decides:`,
    suffixes(
      "The deposit",
      Sandbox.DepositSuffixes.entries.map(([suffix, row]) => {
        const { hold, holdMillis, refundFails, refusal }: Sandbox.DepositBehaviour = row
        if (hold === undefined) {
          return [
            code(suffix),
            `fails with ${code(String(refusal))}, and its refund ${refundFails ? "fails" : "completes"}`,
          ]
        }
        const end =
          holdMillis === undefined
            ? "until its wallet is declared and, where required, proven"
            : `for ${seconds(holdMillis)}`
        return [code(suffix), `is held with ${code(hold)} ${end}, and then credited`]
      }),
      "is credited at once",
    ),
    "## Exchanges",
    `The names that a wallet may give as ${code("vaspName")}: ${Sandbox.SandboxVasps.sandboxVaspNames.map(code).join(", ")}.`,
    "## Codes and signatures",
    `The code of an e-mail or text message that signs in to a wallet is ${code(Sandbox.SandboxOtp.sandboxOtp)}; that of a contact's confirmation and of strong authentication is ${code(Sandbox.SandboxCodes.sandboxCode)}.`,
    "Each of these makes a test weaker than a live deployment is; the report of a run names those that it leaned on.",
    table(
      ["What passes", "Meaning"],
      Sandbox.SandboxLeniencies.entries.map(([name, meaning]) => [code(name), meaning]),
    ),
  )
