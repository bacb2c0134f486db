import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { tick } from 'svelte'
import { describe, expect, it, vi } from 'vitest'
import Failures from '../src/features/library/Failures.svelte'
import StatusLine from '../src/features/library/StatusLine.svelte'
import { failures, library as whole, readingLibrary, unread } from '../src/ipc/fake/library'
import type { LibraryState } from '../src/ipc/types'
import { actions } from '../src/state/actions.svelte'
import { navigation } from '../src/state/navigation.svelte'
import { around, axeFinds, boot, button, called, failing, host, press } from './library'

around()

describe('failures', () => {
  const listed = () => screen.queryAllByTestId('failure').map((row) => row.querySelector('.file')?.textContent)

  it('are asked for once a second at most while files are read, and once at the end', async () => {
    vi.useFakeTimers()
    const state = (failed: number, more: Partial<LibraryState> = {}): LibraryState => ({ ...readingLibrary, failed, ...more })
    await boot(state(1), { failures: () => failures.slice(0, 1) })
    render(Failures)
    await tick()
    expect(called('failures')).toHaveLength(1)
    for (let failed = 2; failed < 27; failed++) {
      host.send('library', state(failed))
      await tick()
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(called('failures')).toHaveLength(3)
    // The last one is not lost, and nothing more is asked while nothing changes.
    await vi.advanceTimersByTimeAsync(1000)
    expect(called('failures')).toHaveLength(4)
    await vi.advanceTimersByTimeAsync(5000)
    expect(called('failures')).toHaveLength(4)
    host.send('library', state(27))
    await tick()
    host.send('library', state(27, { waiting: 0, activity: { is: 'idle' } }))
    await tick()
    expect(called('failures')).toHaveLength(6)
    await vi.advanceTimersByTimeAsync(5000)
    expect(called('failures')).toHaveLength(6)
  })

  it('say reason and way out, those that the same thing helps together', async () => {
    // An older version stored it without a code, so it is English in every language.
    const reason = { code: 'text', text: 'The PDF holds pictures of pages and no text; run text recognition.' } as const
    const twice = { ...failures[0]!, document: { ...failures[0]!.document, id: 99, name: 'Another.pdf' }, reason }
    await boot(whole, { failures: () => [...failures, twice] })
    const { container } = render(Failures)
    await waitFor(() => expect(listed().slice(0, 2)).toEqual(['Scan_2019-03-11.pdf', 'Another.pdf']))
    const group = container.querySelector<HTMLElement>('[data-help=ocr]')!
    expect(group.textContent).toContain('3 files need text recognition (OCR).')
    expect(within(group).getByText('The PDF holds pictures of pages and no text').lang).toBe('en')
    expect(container.querySelector('[data-help=hand]')!.textContent).toContain('4 files need your help.')
    expect(await axeFinds(container)).toEqual([])
  })

  it('keep the way out that is theirs alone', async () => {
    await boot(whole, { failures: () => [{ ...failures[2]!, reason: { code: 'named-otherwise', kind: 'docx', looks: 'plain-text' } }] })
    render(Failures)
    const row = await screen.findByTestId('failure')
    expect(row.querySelector('.own')?.textContent).toBe('The file is named as docx, but seems to be plain text; give it the matching ending')
  })

  it('are tried again, one or all, and shown in their folder', async () => {
    await boot()
    render(Failures)
    const again = await screen.findByRole('button', { name: 'Try again: Vorlesung 07.pdf' })
    await fireEvent.click(again)
    await waitFor(() => expect(again.textContent?.trim()).toBe('In line'))
    await fireEvent.click(again)
    expect(called('retry')).toEqual([{ documents: [26] }])
    await fireEvent.click(button('Try all again'))
    expect(called('retry').at(-1)).toEqual({ documents: [21, 22, 23, 24, 25, 27] })
    await fireEvent.click(button('Show in folder: Vorlesung 07.pdf'))
    expect(called('show_in_folder')).toEqual([{ document: 26 }])
  })

  it('for want of text recognition say how to install it, and are tried again together', async () => {
    await boot()
    render(Failures)
    expect((await screen.findByTestId('install-ocr')).textContent).toBe('sudo apt install tesseract-ocr')
    await fireEvent.click(button('Check again'))
    expect(called('retry')).toEqual([{ documents: [21, 26] }])
  })

  it('for want of a password ask for it, and say where it is wrong', async () => {
    let answer: () => unknown = failing('The password does not open the PDF.')
    await boot(whole, { unlock: () => answer() as null })
    render(Failures)
    const field = await screen.findByLabelText<HTMLInputElement>('Password of Kaufvertrag Wohnung.pdf')
    await fireEvent.input(field, { target: { value: 'wrong' } })
    await fireEvent.click(button('Read it'))
    expect((await screen.findByRole('alert')).textContent).toBe('The password does not open the PDF.')
    answer = () => null
    await fireEvent.input(field, { target: { value: 'right' } })
    await fireEvent.click(screen.getByRole('checkbox', { name: 'Keep it in the keyring' }))
    await fireEvent.click(button('Read it'))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    expect(called('unlock')).toEqual([
      { document: 22, password: 'wrong', keep: false },
      { document: 22, password: 'right', keep: true },
    ])
  })

  it('are shown a hundred of a reason at a time', async () => {
    const [first] = failures
    const many = Array.from({ length: 250 }, (_, k) => ({ ...first!, document: { ...first!.document, id: 1000 + k } }))
    await boot(whole, { failures: () => many })
    render(Failures)
    await waitFor(() => expect(screen.getAllByTestId('failure')).toHaveLength(100))
    await fireEvent.click(screen.getByText('Show more of the other 150'))
    const rows = screen.getAllByTestId('failure')
    expect(rows).toHaveLength(200)
    expect(rows[100]?.contains(document.activeElement)).toBe(true)
    await fireEvent.click(screen.getByText('Show more of the other 50'))
    expect(screen.getAllByTestId('failure')).toHaveLength(250)
    expect(screen.queryByText(/^Show more/)).toBeNull()
  })

  it('are asked for again when their number changes, down to none', async () => {
    let left = failures
    await boot(whole, { failures: () => left })
    render(Failures)
    await waitFor(() => expect(listed()).toHaveLength(7))
    left = failures.slice(0, 2)
    host.send('library', { ...whole, failed: 2 })
    await waitFor(() => expect(listed()).toHaveLength(2))
    left = []
    host.send('library', { ...whole, failed: 0 })
    expect(await screen.findByText('Every file could be read')).toBeTruthy()
    await fireEvent.click(button('Back to the questions'))
    expect(navigation.page).toBe('talk')
  })

  it('are narrowed to a folder', async () => {
    await boot()
    render(Failures)
    await fireEvent.click(await screen.findByRole('button', { name: 'Contracts 2' }))
    expect(listed()).toEqual(['Kaufvertrag Wohnung.pdf', 'old-quotes.pdf'])
    expect(button('Contracts 2').getAttribute('aria-pressed')).toBe('true')
  })

  it('stand before documents with nothing to read in them, and other files by their ending', async () => {
    await boot()
    const { container } = render(Failures)
    const empty = await screen.findByTestId('nothing-to-read')
    const cells = (row: HTMLElement) => within(row).getAllByRole('cell').map(({ textContent }) => textContent?.trim())
    expect(within(empty).getAllByRole('row').slice(1).map(cells)).toEqual([
      ['Draft.md Contracts', '0 B', 'Show in folder'],
      ['Photos of the flat.docx Documents / 2019', '1 MB', 'Show in folder'],
      ['untitled.txt Documents', '2 B', 'Show in folder'],
    ])
    await fireEvent.click(within(empty).getByRole('button', { name: 'Show in folder: untitled.txt' }))
    expect(called('show_in_folder')).toEqual([{ document: 33 }])
    const kinds = within(screen.getByTestId('other-kinds')).getAllByRole('listitem')
    expect(kinds.map(({ textContent }) => textContent)).toEqual([
      '.mp3 204 Tide.mp3, Weir.mp3, Pump.mp3 and 201 more',
      '.heic 96 Flat.heic and 95 more',
      'without an ending 8 core and 7 more',
      'others 4',
    ])
    expect(screen.getByTestId('left-links').textContent).toMatch(/Symbolic links 2.*not followed.*Shared, Plan\.pdf/)
    expect(screen.queryByTestId('left-dangling')).toBeNull()
    expect(await axeFinds(container)).toEqual([])
  })

  it('are not needed to come to what holds nothing to read', async () => {
    await boot({ ...whole, failed: 0 })
    render(StatusLine)
    const offered = () => actions.list.filter(({ enabled }) => enabled?.() !== false).map(({ id }) => id)
    expect(offered()).not.toContain('failures')
    expect(offered()).toContain('unread')
    actions.list.find(({ id }) => id === 'unread')?.run()
    expect(navigation.page).toBe('failures')
    host.send('library', { ...whole, empty: 0, skipped: 0, links: 0 })
    await waitFor(() => expect(offered()).not.toContain('unread'))
  })

  it('say how many more documents hold nothing, and follow the library', async () => {
    const few = { ...unread, empty: 1203, skipped: 0 }
    await boot(whole, { unread: () => few })
    render(Failures)
    expect((await screen.findByTestId('nothing-to-read')).textContent).toContain('And 1,200 more.')
    expect(screen.queryByTestId('other-kinds')).toBeNull()
    host.send('library', { ...whole, empty: 0, failed: 6 })
    await waitFor(() => expect(called('unread')).toHaveLength(2))
  })

  it('are gone through by arrows and left by Escape', async () => {
    await boot()
    navigation.page = 'failures'
    render(Failures)
    ;(await screen.findByRole('button', { name: 'Try again: Scan_2019-03-11.pdf' })).focus()
    await press('ArrowDown')
    expect(document.activeElement).toBe(button('Try again: Vorlesung 07.pdf'))
    await press('ArrowRight')
    expect(document.activeElement).toBe(button('Show in folder: Vorlesung 07.pdf'))
    await press('Escape')
    expect(navigation.page).toBe('talk')
  })

  it('say what went wrong in place', async () => {
    await boot(whole, { show_in_folder: failing('Scan_2019-03-11.pdf is gone; look again.') })
    render(Failures)
    await fireEvent.click(await screen.findByRole('button', { name: 'Show in folder: Scan_2019-03-11.pdf' }))
    expect((await screen.findByRole('alert')).textContent).toBe('Scan_2019-03-11.pdf is gone; look again.')
  })

  it('are copied as a list', async () => {
    const writeText = vi.fn(() => Promise.resolve())
    vi.stubGlobal('navigator', { userAgent: navigator.userAgent, clipboard: { writeText } })
    await boot(whole, { failures: () => failures.slice(0, 1) })
    render(Failures)
    await fireEvent.click(await screen.findByRole('button', { name: 'Copy list' }))
    expect(writeText).toHaveBeenCalledWith(
      'Scan_2019-03-11.pdf\tDocuments/Tax/2019\tPictures without text: The file holds pictures and no text. Tesseract recognises their text when everything else is done; if it is not installed: sudo apt install tesseract-ocr',
    )
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
    vi.unstubAllGlobals()
  })
})
