/** The comparison and the picture of the recorded figures, and their files. */
import { existsSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { listPath, listText, picturePath, recordedFigures } from "./FigureFiles.ts"
import { compareFigures, figures, figuresReport, measuredFigures, type RecordedFigure } from "./Figures.ts"
import { figuresPicture } from "./FiguresPicture.ts"

const run = { commit: "0e8bb383bc", date: "2026-11-25", machine: "2 cores" }
const recorded = (ratio: number, more: Partial<RecordedFigure> = {}): RecordedFigure => ({
  ...run,
  name: "seal",
  ratio,
  limit: 4.7,
  ...more,
})

describe("figures", () => {
  it("have names and cases of their own", () => {
    expect(new Set(figures.map(({ name }) => name)).size).toBe(figures.length)
    expect(new Set(figures.map(({ of }) => `${of.name} / ${of.base}`)).size).toBe(figures.length)
  })

  it("are taken from the ratios of a run, each beside its own base", () => {
    const ratios = [
      { name: "Store.commit, 64 callers", base: "bare transfer", ratio: 0.55 },
      { name: "Store.commit, 64 callers", base: "pgbench", ratio: 3.951_234 },
      { name: "Store.commit, 8 callers", base: "pgbench", ratio: 1.31 },
      { name: "signed request, Node's crypto", base: "openssl speed, verify", ratio: Number.NaN },
    ]
    expect(measuredFigures(ratios, run)).toEqual([{ ...run, name: "commits, 64 callers", ratio: 3.951, limit: 1.5 }])
  })
})

describe("the comparison with what is recorded", () => {
  const compared = (ratio: number, ...before: ReadonlyArray<number>) =>
    compareFigures([recorded(ratio)], [...before.map((each) => recorded(each)), recorded(99, { name: "open" })])[0]

  it.each([
    [4, [5], 5, false],
    [3.99, [5], 5, true],
    [5.5, [5], 5, false],
    [3.99, [4, 5, 6], 5, true],
    // One lucky run among the last five is not the measure of the next.
    [4.5, [5, 5, 9, 5, 5], 5, false],
    // Only the last five count.
    [4.5, [9, 9, 9, 9, 5, 5, 5, 5, 5], 5, false],
  ])("of %d beside %j takes the median %d, and finds a fall: %s", (ratio, before, median, hasFallen) => {
    expect(compared(ratio, ...before)).toMatchObject({ ratio, recorded: median, hasFallen })
  })

  it("finds no fall of a figure that was never recorded", () => {
    expect(compared(0.1)).toMatchObject({ recorded: undefined, hasFallen: false })
  })

  it("leaves out records of the days when it was divided by something else", () => {
    const [name = "", date = ""] = figures.flatMap((each) => (each.since === undefined ? [] : [each.name, each.since]))
    const before = [recorded(9, { name, date: "2026-11-26" }), recorded(3, { name, date })]
    expect(compareFigures([recorded(2.9, { name })], before)).toMatchObject([{ recorded: 3, hasFallen: false }])
  })

  it("is a table with the limits, and a line for each figure that fell by more than a fifth", () => {
    const both = [recorded(3), recorded(0.1, { name: "start in memory", limit: 0.116 })]
    expect(figuresReport(compareFigures(both, [recorded(5)])).split("\n")).toEqual([
      "## Figures beside their limits",
      "",
      "| figure | ratio | limit | recorded |",
      "| --- | ---: | ---: | ---: |",
      "| seal | 3.00 | 4.70 | 5.00 |",
      "| start in memory | 0.100 | 0.116 |  |",
      "",
      "warning: seal fell by 40 %, from 5.00 to 3.00",
    ])
    expect(figuresReport(compareFigures([recorded(4.9)], [recorded(5)]))).not.toContain("warning")
  })
})

describe("the picture", () => {
  const count = (svg: string, text: string) => svg.split(text).length - 1

  it("has a panel for each figure, a point for each record and the limit as a line", () => {
    const svg = figuresPicture([
      recorded(4.5, { commit: "first" }),
      recorded(5),
      recorded(0.1, { name: "start", limit: 0.116 }),
    ])
    expect([count(svg, "<g "), count(svg, "<circle"), count(svg, 'class="limit"'), count(svg, "<polyline")]).toEqual([
      2, 3, 2, 1,
    ])
    expect(svg).toContain(">seal: 5.00</text>")
    expect(svg).toContain("<title>first, 2026-11-25: 4.50, limit 4.70</title>")
    expect([count(svg, 'class="below"'), count(svg, 'class="point"')]).toEqual([2, 1])
  })

  it("draws a greater ratio higher, within its panel, and everything from zero", () => {
    const ratios = [0, 2.35, 4.7, 9]
    const svg = figuresPicture(ratios.map((ratio) => recorded(ratio)))
    const heights = [...svg.matchAll(/<circle[^>]* cy="([\d.]+)"/gu)].map(([, y]) => Number(y))
    expect(heights).toEqual(heights.toSorted((a, b) => b - a))
    expect(new Set(heights).size).toBe(ratios.length)
    const [bottom = 0, half = 0, whole = 0] = heights
    expect(bottom - whole).toBeCloseTo(2 * (bottom - half), 0)
    expect(Math.min(...heights)).toBeGreaterThan(0)
  })

  it("escapes texts, has a title, and colours for light and dark pages", () => {
    const svg = figuresPicture([recorded(5, { name: 'a < b & "c"' })])
    expect(svg).toContain("a &lt; b &amp; &quot;c&quot;: 5.00")
    expect(svg).toMatch(/<svg [^>]*role="img"[^>]*>\n<title>[^<]+<\/title>/u)
    expect(svg).toContain("@media (prefers-color-scheme:dark)")
    expect(figuresPicture([])).toMatch(/^<svg .*<\/svg>\n$/su)
  })
})

describe("the recorded figures of the repository", () => {
  it("are written a line each, and are read back the same", () => {
    const list = [recorded(4.5), recorded(5)]
    expect(JSON.parse(listText(list))).toEqual(list)
    expect(listText(list).split("\n")).toHaveLength(5)
    expect(JSON.parse(listText([]))).toEqual([])
  })

  it("are all known figures, in the form in which they are recorded, and their picture shows them", () => {
    const all = recordedFigures()
    const names = figures.map(({ name }) => name)
    expect(all.filter(({ name }) => !names.includes(name))).toEqual([])
    expect([existsSync(listPath), existsSync(picturePath)]).toEqual([true, true])
    expect(readFileSync(listPath, "utf8")).toBe(listText(all))
    expect(readFileSync(picturePath, "utf8")).toBe(figuresPicture(all))
  })
})
