export const viewer = {}
