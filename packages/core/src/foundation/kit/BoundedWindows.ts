/**
 * Counts within windows of time, of a bounded number of keys: the key that was counted first makes room for a new one.
 * Source: D-337.
 */

/** A count until the end of its window (ms), with a note of its user. */
export interface WindowCount<Note> {
  count: number
  readonly endsAt: number
  note: Note | undefined
}

export interface BoundedWindows<Note> {
  readonly size: () => number
  readonly find: (key: string, now: number) => WindowCount<Note> | undefined
  /** Adds to a key's count, from 0 in a new window. */
  readonly add: (key: string, endsAt: number, now: number) => WindowCount<Note>
}

export const make = <Note>(keysMax: number): BoundedWindows<Note> => {
  const windows = new Map<string, WindowCount<Note>>()

  /** Deletes the first keys while their windows have ended. Windows of one length end in the order of their keys. */
  const forgetEnded = (now: number): void => {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now) break
      windows.delete(key)
    }
  }

  const find = (key: string, now: number): WindowCount<Note> | undefined => {
    const found = windows.get(key)
    return found === undefined || found.endsAt <= now ? undefined : found
  }

  return {
    size: () => windows.size,
    find: (key, now) => {
      forgetEnded(now)
      return find(key, now)
    },
    add: (key, endsAt, now) => {
      forgetEnded(now)
      const found = find(key, now)
      if (found !== undefined) {
        found.count += 1
        return found
      }
      windows.delete(key)
      const [first] = windows.keys()
      if (windows.size >= keysMax && first !== undefined) windows.delete(first)
      const added: WindowCount<Note> = { count: 1, endsAt, note: undefined }
      windows.set(key, added)
      return added
    },
  }
}
