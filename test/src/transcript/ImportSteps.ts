/** Bulk imports: rows of each kind and each fault, headers and files that cannot be read, magic names, and expiry. */
import { idAt } from "../confinement/Bodies.ts"
import type { StepWorld } from "../confinement/ConfinedWorld.ts"

const path = "/customers/bulk/csv"

const header = [
  "umaAddress",
  "platformCustomerId",
  "customerType",
  "fullName",
  "birthDate",
  "addressLine1",
  "city",
  "state",
  "postalCode",
  "country",
]
const company = [...header, "businessLegalName", "businessRegistrationNumber", "businessTaxId", "email", "unknown"]

const row = (id: string, more: Readonly<Record<string, string>> = {}, columns = header) => {
  const cells: Readonly<Record<string, string>> = {
    umaAddress: `${id}@DOMAIN`,
    platformCustomerId: id,
    customerType: "INDIVIDUAL",
    fullName: `Person ${id}`,
    birthDate: "1990-01-31",
    addressLine1: '"1 Main St, ""East"""',
    city: "Boston",
    state: "MA",
    postalCode: "02101",
    country: "US",
    ...more,
  }
  return columns.map((name) => cells[name] ?? "").join(",")
}

const upload = async ({ call, pay, prepare }: StepWorld, content: string | Uint8Array, name = "customers.csv") => {
  const domain = idAt(await prepare("GET", "/config"), "umaDomain")
  const bytes = typeof content === "string" ? content.replaceAll("DOMAIN", domain) : new Uint8Array(content)
  const reply = await call("POST", path, { form: { file: new File([bytes], name, { type: "text/csv" }) } })
  await pay.settle()
  if (reply.status < 300) await call("GET", `/customers/bulk/jobs/${idAt(reply, "jobId")}`)
  return reply
}

const rows = [
  row("one"),
  row("two", { umaAddress: "$two@DOMAIN", fullName: "Person 002" }),
  row("one"),
  row("three", { umaAddress: "$one@DOMAIN" }),
  row("four", { umaAddress: "$four@elsewhere.example" }),
  row("five", { birthDate: "1990-02-31", country: "USA", customerType: "PERSON" }),
  row("six", { fullName: "", birthDate: "", city: "" }),
  row("", { umaAddress: "$seven@DOMAIN" }),
  `${row("eight")},more`,
  "",
  row("nine", { umaAddress: "nine" }),
]

export const importSteps = async (it: StepWorld) => {
  const { call, pay } = it
  const all = await upload(it, [header.join(","), ...rows].join("\r\n"))
  const businesses = [
    row(
      "b-1",
      { customerType: "BUSINESS", businessLegalName: "Engines", businessRegistrationNumber: "R 001" },
      company,
    ),
    row("b-2", { customerType: "BUSINESS", businessRegistrationNumber: "R2", fullName: "" }, company),
    row("b-3", { customerType: "BUSINESS", businessLegalName: "Mills", businessTaxId: "123456789" }, company),
    row("p-4", { email: "p4@example.com", unknown: "x" }, company),
  ]
  await pay.clock.advance("7 seconds")
  await upload(it, [company.join(","), ...businesses].join("\n"))
  await upload(it, header.slice(1).join(","))
  await upload(it, [...header, "city"].join(","))
  await upload(it, `${header.join(",")}\n"a`)
  await upload(it, `${header.join(",")}\na"b"`)
  await upload(it, Uint8Array.of(0xff, 0xfe, 0x41))
  await upload(it, `${header.join(",")}\n${"x".repeat(400_000)}`)
  await upload(it, header.join(","))
  await upload(it, "")
  await call("POST", path, { form: { file: "text" } })
  await call("POST", path, { form: { other: new File(["a"], "a.csv") } })
  const late = await upload(it, [header.join(","), row("ten")].join("\n"), "customers-001.csv")
  await upload(it, [header.join(","), row("eleven")].join("\n"), "customers-002.csv")
  await pay.clock.advance("31 seconds")
  const job = (of: typeof late) => call("GET", `/customers/bulk/jobs/${idAt(of, "jobId")}`)
  await job(late)
  await call("GET", "/customers/bulk/jobs/nothing")
  for (let number = 0; number < 21; number++)
    await call("POST", path, { form: { file: new File([`${header.join(",")}\n`], "wait-001.csv") } })
  await pay.clock.advance("1 minute")
  await pay.clock.advance("8 days")
  await job(all)
  await pay.clock.advance("90 days")
  await job(all)
}
