import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { tick } from 'svelte'
import { beforeEach, describe, expect, it } from 'vitest'
import Table from '../src/features/table/Table.svelte'
import { abstained, listed, tabled, turn } from '../src/ipc/fake/chat'
import type { Streams } from '../src/ipc/fake/host'
import type { FillTable, TableEvent, Turn } from '../src/ipc/types'
import { navigation } from '../src/state/navigation.svelte'
import { table } from '../src/state/table.svelte'
import { around, button, called, id, open, press, sound } from './chat'

around()
beforeEach(() => {
  table.making = null
  table.sorted = null
})

const cells = () => screen.getAllByTestId('cell').map((cell) => cell.textContent?.trim())
const names = () => screen.getAllByTestId('table-row').map((row) => within(row).getByRole('rowheader').textContent?.trim())

/** The table of the list, with a conversation behind it. */
async function show(overrides: Partial<Streams> = {}) {
  await open([{ ...listed, table: tabled }], overrides)
  await fireEvent.click(button('Open the table'))
  expect(navigation.page).toBe('table')
  cleanup()
  render(Table)
  await tick()
}

describe('a table over documents', () => {
  it('is made of the listed documents, with the questions of the dialog', async () => {
    await open([listed])
    await fireEvent.click(button('Make a table…'))
    const dialog = screen.getByRole('dialog', { name: 'A table of 3 documents' })
    expect(within(dialog).getByLabelText('Question 1')).toHaveProperty('value', 'What is the notice period?')
    await fireEvent.click(within(dialog).getAllByRole('button', { name: 'Leave this question out' })[1]!)
    const another = within(dialog).getByLabelText('Another question, up to 8')
    await fireEvent.input(another, { target: { value: 'Who may give it?' } })
    await sound()
    await fireEvent.click(within(dialog).getByRole('button', { name: 'Make the table' }))
    const questions = ['What is the notice period?', 'When does it begin?', 'Who may give it?']
    expect(called('fill_table')).toEqual([{ conversation: id, turn: 0, questions, documents: 'listed' }])
    await waitFor(() => expect(table.running).toBe(false))
  })

  it('is made of other documents, found by name', async () => {
    await open([listed])
    await fireEvent.click(button('Make a table…'))
    await fireEvent.click(button('Choose…'))
    expect(button('Make the table')).toHaveProperty('disabled', true)
    const names = screen.getByRole('combobox', { name: 'Name of a folder or document' })
    await fireEvent.input(names, { target: { value: 'contracts' } })
    await waitFor(() => expect(screen.getByRole('option', { name: /Contracts/ })).toBeTruthy())
    await sound()
    await fireEvent.keyDown(names, { key: 'Enter' })
    expect(button('Remove Contracts')).toBeTruthy()
    expect(screen.getByText('At most 1,509 cells, on this computer')).toBeTruthy()
    await fireEvent.click(button('Make the table'))
    const scope = { documents: [], folders: [{ id: 2, name: 'Contracts' }], kinds: [], since: null, until: null, from: [], gone: [] }
    expect(called('fill_table')).toMatchObject([{ documents: { chosen: scope } }])
    await waitFor(() => expect(table.running).toBe(false))
  })

  it('is offered beside the answer where the question asks for one, with its columns', async () => {
    const proposed = { columns: ['rent', 'term'], questions: ['What is the rent?', 'What is the term?'], documents: 40, folder: 'Contracts' }
    await open([{ ...turn, question: 'Make a table of the contracts with rent and term', proposed }])
    expect(screen.getByTestId('answer').textContent).toContain('The projected ROI fell')
    expect(screen.getByTestId('asked-table').textContent).toContain('As a table: one row for each of 40 documents in Contracts, with rent and term.')
    await sound()
    await fireEvent.click(button('Make a table…'))
    const dialog = screen.getByRole('dialog', { name: 'A table of 40 documents' })
    expect(within(dialog).queryByText(/listed/)).toBeNull()
    expect(within(dialog).getByLabelText('Question 2')).toHaveProperty('value', 'What is the term?')
    await fireEvent.click(within(dialog).getByRole('button', { name: 'Make the table' }))
    expect(called('fill_table')).toEqual([{ conversation: id, turn: 0, questions: proposed.questions, documents: 'all' }])
    await waitFor(() => expect(table.running).toBe(false))
  })

  it('is offered too where nothing was found', async () => {
    const proposed = { columns: ['rent'], questions: ['What is the rent?'], documents: 40, folder: null }
    await open([{ ...abstained, proposed }])
    expect(screen.getByTestId('asked-table').textContent).toContain('one row for each of 40 documents, with rent.')
  })

  it('quotes, says what was not found, where places disagree and what is not read yet', async () => {
    await show()
    expect(cells()).toEqual(['three months', 'Either party', 'six months', 'not found', '2 places disagree', ''])
    expect(screen.getByRole('button', { name: 'unsure: six months' })).toBeTruthy()
    expect(screen.getByTestId('table-figures').textContent?.replace(/\s+/g, ' ').trim()).toBe('4 of 6 filled 1 not found 1 conflict')
    expect(button('Read the rest')).toBeTruthy()
    await sound()
  })

  it('is walked with the arrows; a quote opens its place', async () => {
    await show()
    const first = button('three months')
    first.focus()
    await press('ArrowRight')
    expect(document.activeElement?.textContent?.trim()).toBe('Either party')
    await press('ArrowLeft')
    await press('ArrowDown')
    await fireEvent.click(document.activeElement!)
    expect(called('open_view')).toEqual([{ is: 'place', document: 22, at: tabled.rows[1]!.cells[0]!.quotes[0]!.at }])
  })

  it('shows both places that disagree', async () => {
    await show()
    await fireEvent.click(button('2 places disagree'))
    await fireEvent.click(button('It is a month.'))
    expect(called('open_view')).toEqual([{ is: 'place', document: 23, at: tabled.rows[2]!.cells[0]!.quotes[1]!.at }])
  })

  it('is sorted by a column, those without a quote last', async () => {
    await show()
    await fireEvent.click(button('How long is it?'))
    expect(names()[0]).toBe('Tidewater insurance.pdf')
    await fireEvent.click(button('Who may give it?'))
    expect(names()[0]).toBe('Brandt framework 2022.docx')
  })

  it('fills a new column and keeps the others', async () => {
    const asked: FillTable[] = []
    const fill = async (args: FillTable, on: (event: TableEvent) => void): Promise<Turn> => {
      asked.push(args)
      on({ is: 'begun', table: tabled })
      return { ...listed, table: tabled }
    }
    await show({ fill_table: fill })
    await fireEvent.click(button('Add a question'))
    await fireEvent.input(screen.getByTestId('column-question'), { target: { value: 'In what form?' } })
    await fireEvent.submit(screen.getByTestId('column-question').closest('form')!)
    expect(asked.map(({ questions }) => questions)).toEqual([['How long is it?', 'Who may give it?', 'In what form?']])
  })

  it('can be stopped while it is filled, and goes on later', async () => {
    let end: (turn: Turn) => void = () => {}
    await show({ fill_table: (_, on) => (on({ is: 'begun', table: tabled }), new Promise((done) => (end = done))) })
    await fireEvent.click(button('Read the rest'))
    await fireEvent.click(button('Stop'))
    expect(called('stop_work')).toEqual(['table'])
    end({ ...listed, table: tabled })
    await waitFor(() => expect(button('Read the rest')).toBeTruthy())
  })
})
