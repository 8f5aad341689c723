/** Says to every part of the page that the time of the sandbox was moved. */
const name = "clock-moved"

export const clockMoved = () => window.dispatchEvent(new Event(name))

/** Calls `listener` whenever the time was moved; returns the function that stops it. */
export const onClockMoved = (listener: () => void): (() => void) => {
  window.addEventListener(name, listener)
  return () => window.removeEventListener(name, listener)
}
