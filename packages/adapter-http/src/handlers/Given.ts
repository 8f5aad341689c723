/** An optional member under another name: left out when it has no value. */
export const given = <const K extends string, A>(name: K, value: A | undefined): { readonly [key in K]?: A } =>
  value === undefined ? {} : ({ [name]: value } as { readonly [key in K]?: A })
