// What English and German have in common: one thing, or another number of them.

export const plural = (count: number, one: string, many: string) => (count === 1 ? one : many)

/** A number as a language writes it, with its noun: 1 file, 1,204 files. */
export const counting = (locale: string) => {
  const figure = new Intl.NumberFormat(locale)
  return (count: number, one: string, many: string) => `${figure.format(count)} ${plural(count, one, many)}`
}

/** 491 MB, 2.5 GB: a size in a message. */
export const sizes = (locale: string) => {
  const gigabytes = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return (bytes: number) => (bytes < 999.5e6 ? `${Math.round(bytes / 1e6)} MB` : `${gigabytes.format(bytes / 1e9)} GB`)
}
