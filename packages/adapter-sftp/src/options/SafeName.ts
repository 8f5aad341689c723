/**
 * Names of files that are used on both sides: no path, no hidden or unfinished file, no character that a shell or a log would interpret.
 * Source: D-530 (unfinished files), D-536.
 */

const safe = /^[\w][\w .,()+=@#~-]{0,150}$/u

/** Names that transfer programs give to what they have not finished. */
const unfinished = /\.(?:tmp|part|partial|filepart|crdownload|swp)$|~$/iu

export const isSafeName = (name: string): boolean => safe.test(name)

export const isUnfinishedName = (name: string): boolean => name.startsWith(".") || unfinished.test(name)

/** A name of the server as it is shown: bounded, and with its control characters escaped. */
export const shownName = (name: string): string => JSON.stringify(name.slice(0, 80))
