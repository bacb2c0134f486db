// What a person does in a test, and a call that fails.

import { fireEvent, screen } from '@testing-library/svelte'

export const press = (key: string, how: KeyboardEventInit = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...how })
export const button = (name: string | RegExp) => screen.getByRole('button', { name })
export const failing = (message: string) => () => Promise.reject({ kind: 'failed', notice: { code: 'text', text: message } })
