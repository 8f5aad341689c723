/** What the reason codes of banks are for the service, against the code sets that banks publish. */
import { expect, it } from "vitest"
import { isoReasons, refusalOf } from "../../../../packages/adapter-bank-files/src/iso20022/ReasonCodes.ts"
import { changeCodes, returnCodes } from "../../../../packages/adapter-bank-files/src/nacha/ReturnCodes.ts"

/** The codes of a table by their refusal, as in `R02 R03`. */
const byRefusal = (table: Readonly<Record<string, { readonly refusal: string | undefined }>>) =>
  Object.fromEntries(
    [...Map.groupBy(Object.entries(table), ([, { refusal }]) => refusal)].map(([refusal, rows]) => [
      String(refusal),
      rows.map(([code]) => code).join(" "),
    ]),
  )

it("every reason of an ISO 20022 message is one refusal", () => {
  expect(byRefusal(isoReasons)).toEqual({
    ACCOUNT_INVALID: "AC01 AC02 AC03 AC04 AC13 BE01 BE04 BE06 BE07 CNOR DNOR MD07 RC01 RC07",
    BANK_REJECTED: "AC06 AG01 AM02 AM03 AM09 BE05 CUST FOCR MD01 MD02 MD06 MS02 MS03 NARR SL01 SL11 SL12",
    COMPLIANCE_REJECTED: "FRAD RR01 RR02 RR03 RR04",
    EXECUTION_FAILED: "AG02 AM01 AM05 AM10 DT01 DUPL ED05 FF01 RF01",
    INSUFFICIENT_FUNDS: "AM04",
    TIMED_OUT: "TM01",
  })
  expect(["AM04", "TM01", "ZZ99", "constructor", ""].map(refusalOf)).toEqual([
    "INSUFFICIENT_FUNDS",
    "TIMED_OUT",
    "BANK_REJECTED",
    "BANK_REJECTED",
    "BANK_REJECTED",
  ])
})

it("every return code of NACHA is one refusal, or is between banks", () => {
  expect(byRefusal(returnCodes)).toEqual({
    ACCOUNT_INVALID: "R02 R03 R04 R12 R13 R14 R15 R20 R28 R42 R43 R45 R82",
    BANK_REJECTED:
      "R05 R06 R07 R08 R10 R11 R17 R23 R29 R30 R31 R32 R33 R34 R35 R36 R37 R38 R39 R40 R50 R51 R52 R53 R81 R83",
    COMPLIANCE_REJECTED: "R16",
    EXECUTION_FAILED: "R18 R19 R21 R22 R24 R25 R26 R27 R41 R44 R46 R47 R80 R84 R85",
    INSUFFICIENT_FUNDS: "R01 R09",
    undefined: "R61 R62 R67 R68 R69 R70 R71 R72 R73 R74 R75 R76 R77",
  })
})

it("every code has a meaning", () => {
  const meanings = [...Object.values(isoReasons), ...Object.values(returnCodes)].map(({ meaning }) => meaning)
  expect([...meanings, ...Object.values(changeCodes)].filter((meaning) => meaning.length < 10)).toEqual([])
  expect(Object.keys(changeCodes).join(" ")).toBe("C01 C02 C03 C04 C05 C06 C07 C08 C09 C13 C14")
})
