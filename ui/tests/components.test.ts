// Dialog and Menu: focus kept and given back, keys, closing.
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import axe from 'axe-core'
import { tick } from 'svelte'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import DialogProbe from './fixtures/DialogProbe.svelte'
import MenuProbe from './fixtures/MenuProbe.svelte'

beforeEach(() => document.body.replaceChildren())

/** Presses a key where the focus is; whether the default stays. */
const press = async (key: string, more: KeyboardEventInit = {}) => {
  const stays = await fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more })
  await tick()
  return stays
}

describe('a dialog', () => {
  const open = async () => {
    render(DialogProbe)
    screen.getByText('opener').focus()
    await fireEvent.click(screen.getByText('opener'))
    return screen.getByRole('dialog', { name: 'Probe' })
  }

  test('takes the focus to its first stop and says what it is', async () => {
    const dialog = await open()
    expect(dialog.getAttribute('aria-modal')).toBe('true')
    expect(document.activeElement).toBe(screen.getByText('first'))
  })

  test('keeps Tab inside, both ways, past what cannot be reached', async () => {
    await open()
    expect(await press('Tab', { shiftKey: true })).toBe(false)
    expect(document.activeElement).toBe(screen.getByText('last'))
    expect(await press('Tab')).toBe(false)
    expect(document.activeElement).toBe(screen.getByText('first'))
    // In between the engine moves on by itself.
    expect(await press('Tab')).toBe(true)
  })

  test('Esc closes it, the focus goes back, and nothing beneath hears a key', async () => {
    const beneath = vi.fn()
    window.addEventListener('keydown', beneath)
    await open()
    await press('k', { ctrlKey: true })
    await press('Escape')
    window.removeEventListener('keydown', beneath)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(screen.getByText('opener'))
    expect(beneath).not.toHaveBeenCalled()
  })

  test('a press on the scrim closes it, one inside does not', async () => {
    const dialog = await open()
    await fireEvent.pointerDown(screen.getByText('words'))
    expect(screen.queryByRole('dialog')).not.toBeNull()
    await fireEvent.pointerDown(dialog.parentElement!)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('does not take the focus back from where it was put', async () => {
    await open()
    await fireEvent.click(screen.getByText('elsewhere'))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(screen.getByLabelText('field'))
  })

  test('axe finds nothing', async () => {
    await open()
    const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  })
})

describe('a menu', () => {
  const open = async (key = 'ArrowDown') => {
    const ran = vi.fn()
    render(MenuProbe, { ran })
    screen.getByRole('button', { name: 'More' }).focus()
    await press(key)
    await tick()
    return ran
  }
  const at = () => document.activeElement?.textContent?.trim()

  test('opens with the arrow down at the first, with the arrow up at the last', async () => {
    await open()
    expect(screen.getByRole('button', { name: 'More' }).getAttribute('aria-expanded')).toBe('true')
    expect(at()).toBe('Rename')
    cleanup()
    await open('ArrowUp')
    expect(at()).toBe('Delete')
  })

  test('arrows go round, Home and End, letters jump', async () => {
    await open()
    await press('ArrowUp')
    expect(at()).toBe('Delete')
    await press('ArrowDown')
    expect(at()).toBe('Rename')
    await press('End')
    expect(at()).toBe('Delete')
    await press('Home')
    expect(at()).toBe('Rename')
    await press('d')
    expect(at()).toBe('Duplicate')
    await press('d')
    expect(at()).toBe('Delete')
  })

  test('Esc closes it and gives the focus back without anything else hearing it', async () => {
    const beneath = vi.fn()
    window.addEventListener('keydown', beneath)
    await open()
    beneath.mockClear()
    await press('Escape')
    window.removeEventListener('keydown', beneath)
    expect(screen.queryByRole('menu')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More' }))
    expect(beneath).not.toHaveBeenCalled()
  })

  test('what is chosen is done with the focus back on the button', async () => {
    const ran = await open()
    ran.mockImplementation(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More' })))
    await fireEvent.click(document.activeElement!)
    expect(ran).toHaveBeenCalledExactlyOnceWith('rename')
    expect(screen.queryByRole('menu')).toBeNull()
  })

  test('what cannot be done says why and does nothing', async () => {
    const ran = await open()
    const off = screen.getByRole('menuitem', { name: 'Duplicate' })
    expect(off.getAttribute('title')).toBe('There is nothing to duplicate')
    await fireEvent.click(off)
    expect(ran).not.toHaveBeenCalled()
    expect(screen.queryByRole('menu')).not.toBeNull()
  })

  test('a press outside closes it and leaves the focus alone', async () => {
    await open()
    await fireEvent.pointerDown(document.body)
    expect(screen.queryByRole('menu')).toBeNull()
  })

  test('stays inside the window', async () => {
    const rect = (left: number, top: number, width: number, height: number) =>
      ({ left, top, width, height, right: left + width, bottom: top + height, x: left, y: top }) as DOMRect
    const spy = vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      return this.getAttribute('role') === 'menu' ? rect(0, 0, 200, 120) : rect(innerWidth - 40, innerHeight - 40, 28, 28)
    })
    await open()
    spy.mockRestore()
    const { left, top } = screen.getByRole('menu').style
    expect(left).toBe(`${innerWidth - 12 - 200}px`)
    expect(top).toBe(`${innerHeight - 40 - 4 - 120}px`)
  })

  test('axe finds nothing', async () => {
    await open()
    const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  })
})
