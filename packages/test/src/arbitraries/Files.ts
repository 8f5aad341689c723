/**
 * Files for uploads: of the types that are accepted, and of others.
 * Source: wire contract areas 1.2.4 and 1.5.1.
 */
import fc from "fast-check"

const heads = [
  "%PDF-1.7\n",
  "\u0089PNG\r\n\u001a\n",
  "\u00ff\u00d8\u00ff\u00e0",
  "umaAddress,platformCustomerId,customerType,fullName\n$ada@example.com,a,INDIVIDUAL,Ada\n",
  "",
]

export const files: fc.Arbitrary<File> = fc
  .record({
    head: fc.constantFrom(...heads),
    content: fc.uint8Array({ maxLength: 200 }),
    name: fc.constantFrom("scan.pdf", "customers.csv", "\u00fc.png"),
  })
  .map(({ content, head, name }) => new File([Uint8Array.from(head, (char) => char.charCodeAt(0)), content], name))
