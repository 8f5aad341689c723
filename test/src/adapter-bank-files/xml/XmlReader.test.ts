/** The bounds and the refusals of the reader of XML, each with its reason and its line. */
import { describe, expect, it } from "vitest"
import { FileProblem } from "../../../../packages/adapter-bank-files/src/text/FileProblem.ts"
import { readXml } from "../../../../packages/adapter-bank-files/src/xml/XmlReader.ts"

const read = (text: string) => readXml(new TextEncoder().encode(text))
const attributes = (count: number) => Array.from({ length: count }, (_, n) => `b${n}="1"`).join(" ")

describe("a document", () => {
  it.each([
    ["a document type", "\n<!DOCTYPE a><a/>", "a document type is not allowed, in line 2"],
    ["a processing instruction", "<a>\n\n<?x y?></a>", "a processing instruction is not allowed, in line 3"],
    ["another encoding", '<?xml version="1.0" encoding="UTF-16"?><a/>', "the encoding must be UTF-8"],
    ["a longer encoding", '<?xml version="1.0" encoding="UTF-80"?><a/>', "the encoding must be UTF-8"],
    ["a prefixed encoding", '<?xml version="1.0" encoding="xUTF-8"?><a/>', "the encoding must be UTF-8"],
    ["text before an element", "<a>x\n<b/></a>", "the element a has text beside elements, in line 2"],
    ["text after an element", "<a><b/>\nx</a>", "the element a has text beside elements, in line 2"],
    ["text between elements", "<a><b/>x<b/></a>", "the element a has text beside elements, in line 1"],
    ["25 levels", `${"<a>".repeat(25)}${"</a>".repeat(25)}`, "elements are nested deeper than 24, in line 1"],
    ["4097 characters", `<a>${"x".repeat(4097)}</a>`, "an element has more than 4096 characters, in line 1"],
    ["17 attributes", `<a ${attributes(17)}/>`, "an element has more than 16 attributes, in line 1"],
  ])("with %s is refused with the reason", (_, text, message) => {
    expect(() => read(text)).toThrow(new FileProblem(message))
  })

  it("without an element, or not closed, is refused", () => {
    expect(() => read("<a>")).toThrow(/^the document is not well-formed: /u)
    expect(() => read("")).toThrow(/^the document (?:is not well-formed: |has no element$)/u)
    const name = "x".repeat(500)
    expect(() => read(`<a></${name}>`)).toThrow(FileProblem)
    expect(() => read(`<a></${name}>`)).toThrow(/^.{1,240}$/u)
  })

  it("at its bounds is read", () => {
    expect(read(`${"<a>".repeat(24)}${"</a>".repeat(24)}`).root.name).toBe("a")
    expect(read(`<a>${"x".repeat(4096)}</a>`).root.text).toHaveLength(4096)
    const { root } = read(`<a xmlns="urn:x" xmlns:o="urn:y" ${attributes(16)}/>`)
    expect(Object.entries(root.attributes)).toEqual(Array.from({ length: 16 }, (_, n) => [`b${n}`, "1"]))
  })

  it.each(["UTF-8", "utf-8", "utf8"])("with the encoding %s is read", (encoding) => {
    expect(read(`<?xml version="1.0" encoding="${encoding}"?>\n<a>€</a>\n`).root.text).toBe("€")
  })

  it("has texts of several pieces, with the spaces between them", () => {
    expect(read("<a> <![CDATA[x]]><![CDATA[ ]]>y&lt;z </a>").root.text).toBe("x y<z")
    expect(read("<a> \n </a>").root.text).toBe("")
    expect(read("<a>\n <b> 1 </b>\n <b/>\n</a>").root).toEqual({
      name: "a",
      attributes: {},
      text: "",
      children: [
        { name: "b", attributes: {}, children: [], text: "1" },
        { name: "b", attributes: {}, children: [], text: "" },
      ],
    })
  })

  it("has the namespace of its root, which its own elements share", () => {
    const { namespace, root } = read('<p:a xmlns:p="urn:x" xmlns:q="urn:y"><p:b/><q:b/><b/></p:a>')
    expect([namespace, root.name, root.children.map(({ name }) => name)]).toEqual([
      "urn:x",
      "a",
      ["b", "{urn:y}b", "{}b"],
    ])
    expect(read("<a/>").namespace).toBe("")
  })
})
