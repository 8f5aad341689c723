/** Exchange rates of a daily table in a file. RATES_FILE and RATES_FORMAT of countersign.env name it. */
import { FileRates } from "@countersign/adapter-rates"
import { ExchangeRates, withPortChecks } from "@countersign/core/ports"
import { Effect, Layer } from "effect"

const { RATES_FILE = "", RATES_FORMAT = "xml" } = process.env

/** Without a table no rate exists: a quote between two currencies is refused with RATE_UNAVAILABLE. */
const noRates = Layer.sync(ExchangeRates, () =>
  withPortChecks<ExchangeRates["Service"]>({ rate: () => Effect.undefined }, [
    {
      name: "exchange rates",
      run: Effect.succeed({
        status: "warning",
        text: "RATES_FILE is empty: quotes between currencies are refused",
        fix: "set RATES_FILE in countersign.env",
      }),
    },
  ]),
)

/** TO DECIDE: your spread, in hundredths of a percent, and the currencies of the same value, such as { USDC: "USD" }. */
const terms = { spreadBps: 0, pegs: {} }

export const rates =
  RATES_FILE === ""
    ? noRates
    : FileRates.layer({ path: RATES_FILE, format: RATES_FORMAT === "csv" ? "csv" : "xml", ...terms })
