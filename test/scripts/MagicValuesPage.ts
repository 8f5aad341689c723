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
    "## Customers",
    "A person when created, by the end of `fullName`:",
    suffixes("`kycStatus`", names(Sandbox.CustomerSuffixes.entries), code(Sandbox.individualCheck(""))),
    "A person sent to verification, by the end of `fullName`, where nothing is missing:",
    suffixes("The verification", names(Sandbox.PersonSuffixes.entries), code(Sandbox.personVerification(""))),
    "A business sent to verification, by the end of its `registrationNumber`, where nothing is missing:",
    suffixes("The verification", names(Sandbox.BusinessSuffixes.entries), code(Sandbox.businessVerification(""))),
    "A beneficial owner, by the end of `lastName`:",
    suffixes("`kycStatus`", names(Sandbox.OwnerSuffixes.entries), code(Sandbox.ownerCheck(""))),
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
    "## Codes and signatures",
    `The code of an e-mail or text message that signs in to a wallet is ${code(Sandbox.SandboxOtp.sandboxOtp)}; that of a contact's confirmation and of strong authentication is ${code(Sandbox.SandboxCodes.sandboxCode)}.`,
    "Each of these makes a test weaker than a live deployment is; the report of a run names those that it leaned on.",
    table(
      ["What passes", "Meaning"],
      Sandbox.SandboxLeniencies.entries.map(([name, meaning]) => [code(name), meaning]),
    ),
  )
