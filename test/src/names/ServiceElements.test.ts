/** The elements that carry the service's name. Source: wire contract areas 2.5. */
import { isServiceName, ServiceElements, spelled } from "@countersign/core/models"
import { describe, expect, it } from "vitest"

const acme = [
  ["Service-Wallet-Signature", "Acme-Wallet-Signature"],
  ["X-Service-Signature", "X-Acme-Signature"],
  ["X-Service-Key-Signatures", "X-Acme-Key-Signatures"],
  ["serviceApiMultiplier", "acmeApiMultiplier"],
  ["serviceApiFixedFee", "acmeApiFixedFee"],
  ["serviceApiVariableFeeRate", "acmeApiVariableFeeRate"],
  ["serviceApiVariableFeeAmount", "acmeApiVariableFeeAmount"],
  ["serviceOperationsStatus", "acmeOperationsStatus"],
  ["SERVICE_SWITCH_ERROR", "ACME_SWITCH_ERROR"],
  ["CLOSED_BY_SERVICE", "CLOSED_BY_ACME"],
  ["SERVICE_INTERNAL_ACCOUNT", "ACME_INTERNAL_ACCOUNT"],
] as const

describe("an element that carries the service's name", () => {
  it.each(acme)("%s is spelled %s by the service Acme", (element, expected) => {
    expect(spelled(element, "Acme")).toBe(expected)
  })

  it("is listed here, whichever the table has", () => {
    expect(acme.map(([element]) => element)).toEqual(ServiceElements.keys)
  })

  it("has its neutral spelling under the default name", () => {
    for (const element of ServiceElements.keys) expect(spelled(element, "Service")).toBe(element)
  })

  it("keeps the case of the name in headers and fields, except for a field's first letter", () => {
    expect(spelled("Service-Wallet-Signature", "acmePay2")).toBe("acmePay2-Wallet-Signature")
    expect(spelled("serviceApiFixedFee", "AcmePay2")).toBe("acmePay2ApiFixedFee")
    expect(spelled("CLOSED_BY_SERVICE", "AcmePay2")).toBe("CLOSED_BY_ACMEPAY2")
  })
})

describe("the service's name", () => {
  it.each(["A", "acme", "Service", "Acme2Pay", `A${"b".repeat(31)}`])("may be %s", (name) => {
    expect(isServiceName(name)).toBe(true)
  })

  it.each(["", "2Acme", "Ac-me", "Ac me", "Ac_me", "Acmé", "Acme\n", `A${"b".repeat(32)}`, "Platform", "PLATFORM"])(
    "must not be %j",
    (name) => {
      expect(isServiceName(name)).toBe(false)
    },
  )
})
