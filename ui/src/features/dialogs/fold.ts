/** Lower case, without accents, ß as ss: what is typed and what is looked through are compared so. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}
