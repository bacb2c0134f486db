export const why = {}
