// What English and German have in common: one thing, or another number of them.

export const plural = (count: number, one: string, many: string) => (count === 1 ? one : many)

/** A number as a language writes it, with its noun: 1 file, 1,204 files. */
export const counting = (locale: string) => {
  const figure = new Intl.NumberFormat(locale)
  return (count: number, one: string, many: string) => `${figure.format(count)} ${plural(count, one, many)}`
}
