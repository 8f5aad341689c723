/** The pages in `docs/` and in the packages that are made from tables alone. Source: architecture, "One table per concept; everything else is derived". */
import { Currencies, ErrorCodes, EventTypes, IdTypes, UnauthorizedReasons } from "@countersign/core/models"
import { type Machine, Mermaid, machines } from "@countersign/core/verify"
import { accountTypesPage } from "./AccountTypesPage.ts"
import { guidePage } from "./GuidePage.ts"
import { kindsPage } from "./KindsPage.ts"
import { limitsOfUsePage } from "./LimitsOfUsePage.ts"
import { limitsPage } from "./LimitsPage.ts"
import { magicValuesPage } from "./MagicValuesPage.ts"
import { code, codes, fenced, page, table } from "./Markdown.ts"
import { portsDocument } from "./PortsDocument.ts"
import { portsPage } from "./PortsPage.ts"

type AnyMachine = Machine.Machine<string, string, string>

const isMachine = (value: unknown): value is AnyMachine =>
  typeof value === "object" && value !== null && "name" in value && "arrows" in value && "states" in value

const sortedMachines = Object.values<unknown>(machines)
  .filter(isMachine)
  .toSorted((a, b) => (a.name < b.name ? -1 : 1))

const errorsPage = (): string => {
  const statuses = [...new Set(ErrorCodes.entries.map(([, { status }]) => status))].toSorted((a, b) => a - b)
  return page(
    "Error codes",
    "`ErrorCodes` and `UnauthorizedReasons`",
    "The body of every error has `status`, `code` and `message`, and often `details`. Of a 400 with `INVALID_INPUT`, `details.errors` lists every problem with its `field`. Which operation answers which code: [errors of operations](errors-of-operations.md).",
    table(
      ["Status", "Codes"],
      statuses.map((status) => [
        String(status),
        codes(ErrorCodes.entries.filter(([, row]) => row.status === status).map(([name]) => name)),
      ]),
    ),
    "A 401 with `UNAUTHORIZED` names the failed check in `reason`:",
    table(
      ["Reason"],
      UnauthorizedReasons.entries.map(([, text]) => [text]),
    ),
  )
}

const currenciesPage = (): string =>
  page(
    "Currencies",
    "`Currencies`",
    "Amounts are integers in the smallest unit: an amount of 100 is 1.00 of a currency with 2 decimals, and 100 of one with none.",
    table(
      ["Code", "Name", "Symbol", "Decimals", "Kind"],
      Currencies.entries.map(([name, row]) => [
        code(name),
        row.name,
        row.symbol,
        String(row.decimals),
        row.crypto ? "crypto" : "fiat",
      ]),
    ),
  )

const idsPage = (): string =>
  page(
    "Identifiers",
    "`IdTypes`",
    "An identifier is its type, a colon and a lower-case UUID, for example `Customer:0190c8a0-1234-7abc-8def-0123456789ab`. Those that the service draws are UUIDs of version 7, ordered by time. All that one customer owns has the same 14 bits in the fourth group of its UUIDs, and so has what the platform owns itself (D-513): the group tells in which cell of a store a record is, and nothing else.",
    table(
      ["Type", "What it names"],
      IdTypes.entries.map(([name, what]) => [code(name), what]),
    ),
  )

const eventsPage = (): string =>
  page(
    "Events",
    "`EventTypes` and the machines",
    "Each is delivered to the platform's webhook endpoint, signed, until it is acknowledged. `data` is the full record. An event is kept for 30 days, and as long as its delivery is not finished.",
    table(
      ["Event", "`data`", "Sent when"],
      EventTypes.entries.map(([name, data]) => [
        code(name),
        data === "none" ? "nothing" : data,
        sortedMachines
          .flatMap((machine) => machine.arrows.map((arrow) => ({ arrow, machine })))
          .filter(({ arrow }) => arrow.emits.includes(name))
          .map(({ arrow, machine }) => `${machine.name} ${arrow.trigger}: ${arrow.from ?? "(none)"} to ${arrow.to}`)
          .join("; "),
      ]),
    ),
  )

const machinesPage = (): string =>
  page(
    "State machines",
    "the machines' tables",
    "An arrow that is not drawn is refused. After the slash stand the events that it sends.",
    ...sortedMachines.flatMap((machine) => [`## ${machine.name}`, fenced("mermaid", Mermaid.diagram(machine))]),
  )

/** The page that a server shows beside its reference. */
export const guidePath = "packages/adapter-http/assets/guide.html"

/** The document that a bank's team generates its server from. */
export const portsPath = "packages/ports-http/schema/openapi.json"

/** The pages that are made from tables alone, by their paths from the repository's root. */
export const tablePages = (): ReadonlyMap<string, string> =>
  new Map([
    [guidePath, guidePage(eventsPage(), sortedMachines)],
    ["docs/errors.md", errorsPage()],
    ["docs/currencies.md", currenciesPage()],
    ["docs/events.md", eventsPage()],
    ["docs/machines.md", machinesPage()],
    ["docs/kinds.md", kindsPage()],
    ["docs/ids.md", idsPage()],
    ["docs/limits-of-use.md", limitsOfUsePage()],
    ["docs/account-types.md", accountTypesPage()],
    ["docs/limits.md", limitsPage()],
    ["docs/magic-values.md", magicValuesPage()],
    ["docs/ports.md", portsPage()],
    [portsPath, portsDocument()],
  ])
