export const dialogs = {}
