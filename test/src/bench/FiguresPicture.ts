/**
 * The recorded figures as a picture: a panel for each, with its ratios from commit to commit and its limit as a dashed line. Readable on a light and
 * on a dark page.
 * Source: D-516.
 */
import type { RecordedFigure } from "./Figures.ts"

const panel = { width: 360, height: 170, perRow: 2 } as const
const plot = { left: 46, right: 16, top: 34, bottom: 34 } as const
const plotWidth = panel.width - plot.left - plot.right
const plotHeight = panel.height - plot.top - plot.bottom

const style = `
text{font:12px system-ui,sans-serif;fill:#24292f}
.name{font-weight:600}
.small{font-size:10px;fill:#57606a}
.axis{stroke:#8c959f;stroke-width:1;fill:none}
.limit{stroke:#bc4c00;stroke-width:1.5;stroke-dasharray:5 4}
.line{stroke:#0969da;stroke-width:2;fill:none}
.point{fill:#0969da}
.below{fill:#bc4c00}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}
.small{fill:#9198a1}
.axis{stroke:#6e7681}
.limit{stroke:#f0883e}
.line{stroke:#58a6ff}
.point{fill:#58a6ff}
.below{fill:#f0883e}
}`

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const at = (value: number): string => String(Number(value.toFixed(1)))
const ratioText = (ratio: number): string => (ratio < 1 ? ratio.toFixed(3) : ratio.toFixed(2))

/** The panel of one figure; `all` are its records in their order. */
const panelOf = (name: string, all: ReadonlyArray<RecordedFigure>, index: number): string => {
  const last = all.at(-1)
  if (last === undefined) return ""
  // From 0, so that a change looks as large as it is.
  const max = 1.1 * Math.max(...all.map(({ ratio }) => ratio), last.limit)
  const x = (n: number) => plot.left + (all.length === 1 ? plotWidth / 2 : (n * plotWidth) / (all.length - 1))
  const y = (ratio: number) => plot.top + plotHeight * (1 - ratio / max)
  const bottom = plot.top + plotHeight
  const right = panel.width - plot.right
  const points = all.map(({ commit, date, limit, ratio }, n) => {
    const mark = ratio < limit ? "below" : "point"
    const said = escaped(`${commit}, ${date}: ${ratioText(ratio)}, limit ${ratioText(limit)}`)
    return `<circle class="${mark}" cx="${at(x(n))}" cy="${at(y(ratio))}" r="3.5"><title>${said}</title></circle>`
  })
  const way = all.map(({ ratio }, n) => `${at(x(n))},${at(y(ratio))}`).join(" ")
  const labels = [
    ...new Map([
      [0, all[0]?.commit ?? ""],
      [all.length - 1, last.commit],
    ]),
  ].map(([n, commit]) => {
    const anchor = all.length === 1 ? "middle" : n === 0 ? "start" : "end"
    return `<text class="small" x="${at(x(n))}" y="${bottom + 16}" text-anchor="${anchor}">${escaped(commit)}</text>`
  })
  const left = (index % panel.perRow) * panel.width
  const top = Math.floor(index / panel.perRow) * panel.height
  return [
    `<g transform="translate(${left} ${top})">`,
    `<text class="name" x="${plot.left}" y="18">${escaped(name)}: ${ratioText(last.ratio)}</text>`,
    `<path class="axis" d="M${plot.left} ${plot.top}V${bottom}H${right}"/>`,
    `<text class="small" x="${plot.left - 6}" y="${bottom + 3}" text-anchor="end">0</text>`,
    `<text class="small" x="${plot.left - 6}" y="${at(y(last.limit) + 3)}" text-anchor="end">${ratioText(last.limit)}</text>`,
    `<path class="limit" d="M${plot.left} ${at(y(last.limit))}H${right}"/>`,
    ...(all.length === 1 ? [] : [`<polyline class="line" points="${way}"/>`]),
    ...points,
    ...labels,
    "</g>",
  ].join("\n")
}

export const figuresPicture = (recorded: ReadonlyArray<RecordedFigure>): string => {
  const panels = [...Map.groupBy(recorded, ({ name }) => name)]
  const rows = Math.ceil(panels.length / panel.perRow)
  const [width, height] = [panel.perRow * panel.width, Math.max(rows, 1) * panel.height]
  const title = "Ratios of the benchmarks by commit, each with its limit as a dashed line"
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${title}</title>`,
    `<style>${style}</style>`,
    ...panels.map(([name, all], index) => panelOf(name, all, index)),
    "</svg>",
    "",
  ].join("\n")
}
