/** The default theme without fonts of its own, and the diagrams' style. */
import theme from "vitepress/theme-without-fonts"
import "./site.css"

export default theme
