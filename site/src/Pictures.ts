/** Draws the state diagrams of the pages, so that they need no script in the browser. */
import { Graphviz } from "@hpcc-js/wasm-graphviz"

const graphviz = await Graphviz.load()

const quoted = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`

const point = "shape=point width=0.12"

/** A diagram in the notation `A --> B: label` as a graph. */
const graphOf = (diagram: string): string => {
  const edges = diagram
    .split("\n")
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line, number) => {
      const [, from = "", to = "", label = ""] = /^(\S+) --> (\S+?)(?:: (.*))?$/u.exec(line) ?? []
      if (to === "") throw new Error(`not an arrow of a state diagram: ${line}`)
      const [source, target] = [from, to].map((state) => (state === "[*]" ? `${state}${number}` : state))
      const ends = [from, to].includes("[*]") ? `${quoted(`[*]${number}`)} [${point}]\n` : ""
      const [trigger = "", events] = label.split(" / ")
      // Space between the text and its arrow, since no two browsers have the same letters.
      const text = [trigger, events].flatMap((line) => (line === undefined ? [] : [`  ${line}  `])).join("\n")
      return `${ends}${quoted(source ?? "")} -> ${quoted(target ?? "")} [label=${quoted(text).replaceAll("\n", "\\n")}]`
    })
  return `digraph {
bgcolor=transparent
node [shape=box style=rounded fontname="sans-serif" fontsize=11]
edge [fontname="sans-serif" fontsize=9 arrowsize=0.7]
${edges.join("\n")}
}`
}

const pictureOf = (diagram: string): string =>
  `<figure class="diagram">${graphviz
    .dot(graphOf(diagram))
    .replace(/^[\s\S]*?(?=<svg)/u, "")
    .replaceAll(/<!--[\s\S]*?-->\n?/gu, "")
    .replaceAll(/\n+/gu, "")
    // As dark or light as the page's text.
    .replaceAll('"black"', '"currentColor"')}</figure>`

/** Returns the page with each state diagram replaced by its picture. */
export const drawDiagrams = (text: string): string =>
  text.replaceAll(/^```mermaid\n(stateDiagram-v2\n[\s\S]*?)^```$/gmu, (_, diagram: string) => pictureOf(diagram))
