/** Where the page begins. */
import { render } from "preact"
import { App } from "./App.tsx"

const root = document.getElementById("root")
if (root !== null) render(<App />, root)
