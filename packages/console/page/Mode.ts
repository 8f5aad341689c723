/** Which areas the page has, as its document says. */
export const isSandbox = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="mode"]')?.content === "sandbox"
