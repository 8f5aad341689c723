/** The elements around an element, the nearest first. */
export const ancestorsOf = <E extends { readonly parentElement: E | null }>(element: E): ReadonlyArray<E> =>
  element.parentElement === null ? [] : [element.parentElement, ...ancestorsOf(element.parentElement)]
