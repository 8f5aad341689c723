/** The anchor of a heading, the same as on the pages of the repository: lower case, without punctuation, with a hyphen for each space. */
export const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/gu, "-")
