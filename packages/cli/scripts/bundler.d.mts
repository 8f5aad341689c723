/** The path of the entry of the bundle in a folder; `undefined` if none was made. */
export declare const entryOf: (folder: string) => string | undefined

/** Bundles the program `entry` into `folder`, if its sources have changed; `threads` are the programs of its threads by name. */
export declare const updateBundle: (options: {
  readonly entry: string
  readonly folder: string
  readonly threads?: Readonly<Record<string, string>>
}) => Promise<void>

/** Texts with the licences of the packages whose code a bundle of these inputs has. */
export declare const licencesOf: (inputs: ReadonlyArray<string>) => ReadonlyArray<string>
