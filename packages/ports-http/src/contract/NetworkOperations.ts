/**
 * The operations of `UmaNetwork`, `NetworkFees`, `VaspDirectory` and `DomainOwnership`: questions about networks outside.
 * Source: ports/UmaNetwork.ts, NetworkFees.ts, VaspDirectory.ts, DomainOwnership.ts; D-536.
 */
import { CryptoNetwork, CurrencyCode, CustomerInfoFieldName, RequestedField, Vasp } from "@countersign/core/models"
import type {
  DomainAnswer,
  DomainClaim,
  UmaAnswer,
  UmaProvider,
  UmaReceiver,
  UmaRequirements,
  Withdrawal,
} from "@countersign/core/ports"
import { Schema } from "effect"
import { Amount, exactly, optional, outcome, result, Text } from "./Parts.ts"
import { withoutUnknown } from "./PortOperation.ts"

const asking = { repetition: "none", deadline: "ask" } as const

const Receiver = exactly<UmaReceiver>()(
  Schema.Struct({
    currencies: Schema.Array(Schema.Struct({ code: CurrencyCode, minAmount: Amount, maxAmount: Amount })),
    requiredPayerData: Schema.Array(RequestedField),
    information: Schema.Record(Text, Schema.Json),
  }).annotate({ identifier: "UmaReceiver" }),
)

const UmaAnswers = exactly<UmaAnswer>()(
  Schema.Union([
    outcome("Found", { receiver: Receiver }),
    outcome("NotFound", {}),
    outcome("Trouble", {
      code: Schema.Literals([
        "UNSUPPORTED_UMA_VERSION",
        "LNURLP_REQUEST_FAILED",
        "NO_COMPATIBLE_UMA_VERSION",
        "COUNTERPARTY_PUBKEY_FETCH_ERROR",
        "PARSE_LNURLP_RESPONSE_ERROR",
        "SENDER_NOT_ACCEPTED",
        "LOOKUP_REQUEST_FAILED",
        "NOT_IMPLEMENTED",
      ]),
      message: Text,
    }),
  ]).annotate({ identifier: "UmaAnswer" }),
)

const Provider = exactly<UmaProvider>()(
  Schema.Struct({
    name: Text,
    domain: Text,
    logoUrl: optional(Text),
    lei: optional(Text),
    regions: Schema.Array(Text),
    currencies: Schema.Array(CurrencyCode),
    isAllowed: Schema.Boolean,
  }).annotate({ identifier: "UmaProvider" }),
)

const information = Schema.Array(CustomerInfoFieldName)
const Requirements = exactly<UmaRequirements>()(
  Schema.Struct({ currency: CurrencyCode, customer: information, counterparty: information }).annotate({
    identifier: "UmaRequirements",
  }),
)

export const umaNetworkOperations = {
  find: withoutUnknown({
    path: "/uma-network/find",
    summary: "Resolves a UMA address to its receiver.",
    request: Schema.Struct({ address: Text, sender: optional(Text) }),
    answer: UmaAnswers,
    ...asking,
  }),
  providers: withoutUnknown({
    path: "/uma-network/providers",
    summary: "Lists the providers of UMA addresses.",
    request: Schema.Struct({}),
    answer: result(Schema.Array(Provider)),
    ...asking,
  }),
  requirements: withoutUnknown({
    path: "/uma-network/requirements",
    summary:
      "Lists the information that payments of each currency need; an empty list: none that can be known in advance.",
    request: Schema.Struct({}),
    answer: result(Schema.Array(Requirements)),
    ...asking,
  }),
}

export const networkFeesOperations = {
  estimate: withoutUnknown({
    path: "/network-fees/estimate",
    summary: "Estimates the fees of a withdrawal over a chain, or `null` if they are not known.",
    request: exactly<Withdrawal>()(
      Schema.Struct({ currency: CurrencyCode, network: CryptoNetwork, amount: Amount, destinationAddress: Text }),
    ),
    answer: result(Schema.NullOr(Schema.Struct({ network: Amount, application: Amount }))),
    ...asking,
  }),
}

export const vaspDirectoryOperations = {
  entries: withoutUnknown({
    path: "/vasp-directory/entries",
    summary: "Lists the exchanges that a wallet may name as its custodian, each name once.",
    request: Schema.Struct({}),
    answer: result(Schema.Array(Vasp)),
    ...asking,
  }),
}

export const domainOwnershipOperations = {
  check: withoutUnknown({
    path: "/domain-ownership/check",
    summary: "Says whether the owner of a domain has published a record.",
    request: exactly<DomainClaim>()(
      Schema.Struct({ domain: Text, platformId: Text, record: Schema.Struct({ name: Text, value: Text }) }),
    ),
    answer: result(exactly<DomainAnswer>()(Schema.Literals(["PROVEN", "NOT_PROVEN", "UNKNOWN"]))),
    ...asking,
  }),
}
