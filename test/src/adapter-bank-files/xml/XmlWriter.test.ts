/** Elements are written as a document that reads as what was written. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { childAt, childrenOf, textAt } from "../../../../packages/adapter-bank-files/src/xml/XmlElement.ts"
import { readXml } from "../../../../packages/adapter-bank-files/src/xml/XmlReader.ts"
import { element, writeXml } from "../../../../packages/adapter-bank-files/src/xml/XmlWriter.ts"

it("escapes the characters of markup in texts and attributes, and leaves out what is undefined", () => {
  const root = element("Document", [
    element("Nm", `<Ada> & "Bob's"`, { Ccy: `<">&` }),
    undefined,
    element("Id", [element("Othr", [element("Id", "1")])]),
    element("Empty", []),
  ])
  expect(writeXml("urn:x&y", root)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:x&amp;y">
  <Nm Ccy="&lt;&quot;&gt;&amp;">&lt;Ada&gt; &amp; &quot;Bob's&quot;</Nm>
  <Id>
    <Othr>
      <Id>1</Id>
    </Othr>
  </Id>
  <Empty></Empty>
</Document>
`)
})

it("writes the attributes of the root beside its namespace", () => {
  expect(writeXml("urn:x", element("Document", "text", { version: "1" }))).toContain(
    '<Document xmlns="urn:x" version="1">text</Document>\n',
  )
})

it("is read as it was written, whatever the text", () => {
  const characters = fc.constantFrom(..."<>&\"'aÄ€1 ;#x]")
  fc.assert(
    fc.property(fc.string({ unit: characters, minLength: 1 }), fc.string({ unit: characters }), (text, value) => {
      const root = element("Document", [element("Nm", text.trim(), { value }), element("Nm", "2")])
      const { namespace, root: read } = readXml(new TextEncoder().encode(writeXml("urn:x", root)))
      expect([namespace, read]).toEqual(["urn:x", root])
    }),
  )
})

it("finds elements by their path, the first of a name, and nothing where a part of the path does not exist", () => {
  const root = element("a", [element("b", "1"), element("b", [element("c", "2")]), element("d", [element("e", "3")])])
  expect([textAt(root, "b"), textAt(root, "d", "e"), textAt(root, "b", "c"), textAt(root, "x", "e")]).toEqual([
    "1",
    "3",
    undefined,
    undefined,
  ])
  expect(childAt(root)).toBe(root)
  expect(childrenOf(root, "b").map(({ children, text }) => [children.length, text])).toEqual([
    [0, "1"],
    [1, ""],
  ])
  expect([childrenOf(root, "x"), childrenOf(undefined, "b"), textAt(undefined, "b")]).toEqual([[], [], undefined])
})
