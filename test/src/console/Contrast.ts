/** The contrast between a page's texts and their background. Source: WCAG 2.2, 1.4.3. */

/** An expression that returns every visible text with too low a contrast, with its ratio. */
export const textsTooFaint = `(() => {
  const canvas = document.createElement("canvas")
  const context = canvas.getContext("2d", { willReadFrequently: true })
  // To ask the canvas takes far longer than all else, and a page has a dozen colours.
  const known = new Map()
  const rgba = (color) => {
    if (known.has(color)) return known.get(color)
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = color
    context.fillRect(0, 0, 1, 1)
    const drawn = [...context.getImageData(0, 0, 1, 1).data]
    known.set(color, drawn)
    return drawn
  }
  const luminance = (color) => {
    const [r, g, b] = color.map((value) => value / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor)
      if (color[3] === 255) return color
    }
    return [255, 255, 255, 255]
  }
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement
    const box = element.getBoundingClientRect()
    if (node.data.trim() === "" || box.width === 0 || box.right <= 0 || element.closest("script,style,noscript") !== null) continue
    const style = getComputedStyle(element)
    const [light, dark] = [luminance(rgba(style.color)), luminance(behind(element))].sort((a, b) => b - a)
    const ratio = (light + 0.05) / (dark + 0.05)
    if (ratio < 4.5) found.push(node.data.trim() + " " + ratio.toFixed(2))
  }
  return found
})()`
