/** Tables of rates for tests, in each format. */

type Rates = Readonly<Record<string, string>>

export const xmlOf = (date: string, rates: Rates): string => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>Central bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='${date}'>
${Object.entries(rates)
  .map(([currency, rate]) => `			<Cube currency='${currency}' rate='${rate}'/>`)
  .join("\n")}
		</Cube>
	</Cube>
</gesmes:Envelope>
`

export const csvOf = (date: string, rates: Rates, base = "EUR"): string =>
  `date,base,currency,rate\n${Object.entries(rates)
    .map(([currency, rate]) => `${date},${base},${currency},${rate}\n`)
    .join("")}`

/** With the rates as texts. */
export const jsonOf = (date: string, rates: Rates): string => JSON.stringify({ data: { date, base: "EUR", rates } })

export const dateOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)
