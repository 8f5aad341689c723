/** Uploads to a service under test, and the customers that they are for. */
import type { Harness, Reply } from "../../../packages/test/src/harness/Harness.ts"
import { businessInfo } from "../customer/CustomerRequests.ts"

export const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3)
export const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 4, 5)
export const pdfText = "%PDF-1.7 a document"

export interface Parts {
  readonly [name: string]: string | Blob | undefined
}

export const pdfFile = (name = "passport_scan.pdf", content: string = pdfText): File =>
  new File([content], name, { type: "application/octet-stream" })

/** Sends a form without the parts that are not defined. */
export const sendForm = (
  pay: Pick<Harness, "send">,
  method: "POST" | "PUT",
  path: string,
  parts: Parts,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> => {
  const form = Object.fromEntries(
    Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  )
  return pay.send(method, path, { form, headers })
}

/** The texts of a form, and the headers of its file, whose bytes follow. */
export const formHead = (parts: Parts) => {
  const boundary = "a-boundary"
  const texts = Object.entries(parts).flatMap(([name, value]) =>
    typeof value === "string"
      ? [`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`]
      : [],
  )
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`
  return { boundary, head: texts.join("") + file }
}

/** The parts of a passport. */
export const passport = (documentHolder: string, more: Parts = {}): Parts => ({
  file: pdfFile(),
  documentHolder,
  documentType: "PASSPORT",
  country: "US",
  documentNumber: "A12345678",
  issuingAuthority: "U.S. Department of State",
  ...more,
})

export const upload = (
  pay: Parameters<typeof sendForm>[0],
  parts: Parts,
  headers?: Readonly<Record<string, string>>,
): Promise<Reply> => sendForm(pay, "POST", "/documents", parts, headers)

const address = { line1: "1 Main St", city: "Boston", state: "MA", postalCode: "02101", country: "US" }

/** Fields that complete an individual's data. */
export const completion = { address, idType: "SSN", identifier: "123-45-6789" }

export const idOf = ({ body }: Reply): string => String((body as { readonly id?: unknown }).id)

/** Creates a person whose submission looks at data and documents. */
export const person = async (pay: Pick<Harness, "send">, fullName = "Jane Doe 001", more: object = {}) =>
  idOf(
    await pay.send("POST", "/customers", {
      body: {
        platformCustomerId: `person-${fullName}-${Object.keys(more).length}`,
        customerType: "INDIVIDUAL",
        fullName,
        birthDate: "1990-01-15",
        nationality: "US",
        ...more,
      },
    }),
  )

export const business = async (pay: Pick<Harness, "send">, registrationNumber = "5523041") =>
  idOf(
    await pay.send("POST", "/customers", {
      body: {
        platformCustomerId: `business-${registrationNumber}`,
        customerType: "BUSINESS",
        businessInfo: { ...businessInfo, registrationNumber },
        address,
      },
    }),
  )

export const owner = async (pay: Pick<Harness, "send">, customerId: string) =>
  idOf(
    await pay.send("POST", "/beneficial-owners", {
      body: {
        customerId,
        roles: ["UBO", "CONTROL_PERSON"],
        ownershipPercentage: 60,
        personalInfo: {
          firstName: "Ana",
          lastName: "Ruiz",
          birthDate: "1980-02-03",
          nationality: "US",
          address,
          idType: "SSN",
          identifier: "987-65-4321",
        },
      },
    }),
  )
