// Recorded: documents of each layout in the viewer.
import type { Block, BlockStyle, DocumentRow, Run, View, ViewRows } from '../types'

const document = (id: number, name: string, kind: DocumentRow['kind'], pages: number): DocumentRow => ({
  id,
  name,
  place: 'Documents/Phoenix',
  kind,
  pages,
  sentences: 200,
  bytes: 240_000,
  modified: Date.parse('2024-09-18'),
})

/** Text with marks: `~window~`, `=sentence=`, `*words of the sentence*`. */
function runs(text: string): Run[] {
  return text.split(/(~[^~]+~|=[^=]+=|\*[^*]+\*)/u).filter(Boolean).map((piece): Run => {
    const inner = piece.slice(1, -1)
    if (piece.startsWith('~')) return { text: inner, mark: 'window' }
    if (piece.startsWith('=')) return { text: inner, mark: 'sentence', hit: 0 }
    if (piece.startsWith('*')) return { text: inner, mark: 'sentence', hit: 0, words: true }
    return { text: piece, mark: 'plain' }
  })
}

const block = (style: BlockStyle, text: string): Block => ({ style, runs: runs(text) })
const view = (of: Partial<View> & Pick<View, 'document' | 'layout'>): View => ({
  freshness: 'same',
  inside: [],
  members: [],
  blocks: [],
  parts: [],
  rows: [],
  marks: [],
  hits: [{ text: 'The sentence.', page: null }],
  first: 0,
  address: null,
  recognised: null,
  unsure: [],
  ...of,
})

const yields = [
  'Batch\t°C\tHours\tYield\tPurity\tRemarks',
  ...['70', '80', '90'].flatMap((heat) => [`Batch 11\t${heat}\t4\t68%\t97.1%\told solvent`]),
  'Batch 12\t60\t4\t61%\t97.6%',
  'Batch 12\t70\t4\t69%\t97.9%\tdried solvent',
  'Batch 12\t80\t2\t71%\t97.7%',
  'Batch 12\t80\t4\t74%\t97.8%\tbest so far, though the stirrer was changed halfway and the thermometer read two degrees low',
  'Batch 12\t90\t4\t69%\t95.2%',
  ...Array.from({ length: 500 }, (_, i) => `Batch ${13 + Math.floor(i / 4)}\t${60 + (i % 4) * 10}\t4\t${60 + (i % 15)}%\t9${i % 9}.4%`),
]

const marked = (row: number, text: string) => ({ row, runs: runs(text) })

const sheets: ViewRows[] = [
  { name: 'Overview', text: 'Project\tYield\nPhoenix\t74%', header: true, numbers: [], marked: [] },
  {
    name: 'Yields',
    text: yields.join('\n'),
    header: true,
    numbers: [{ row: 9, number: 12 }],
    marked: [
      marked(6, `~${yields[6]}~`),
      marked(7, `=Batch 12\t80\t4\t=*74%*=\t97.8%\tbest so far, though the stirrer was changed halfway and the thermometer read two degrees low=`),
      marked(8, `~${yields[8]}~`),
    ],
  },
  { name: 'Prices 2024', text: Array.from({ length: 60 }, (_, i) => Array.from({ length: 40 }, (__, k) => String(i * k)).join('\t')).join('\n'), header: false, numbers: [], marked: [] },
]

const code = `fn main() {
    let path = std::env::args().nth(1);

    // The kiln is never lit at night.
    let limit = 900;
    if let Some(path) = path {
        read(&path, limit);
    }
}
`

const mail = document(103, 'Penang: first line handed over.eml', 'eml', 0)
const archive = document(108, 'Quotes Penang.zip', 'zip', 0)
const quote = document(106, 'Quote 4, Tan and Sons.docx', 'docx', 0)

/** A document of each layout, and an archive. */
export const layouts = [
  view({ document: document(101, 'batch-12.xlsx', 'xlsx', 3), layout: 'sheets', rows: sheets }),
  view({
    document: document(102, 'Board deck September.pptx', 'pptx', 3),
    layout: 'slides',
    blocks: [
      block('heading', 'Phoenix: cost and return'),
      block('text', '~Capital expenditure 43.6 instead of 41.0 million euros~'),
      block('text', '=ROI over five years =*12%, was 14%*'),
      block('text', '~Cause: parts from Southeast Asia late and dearer~'),
      block('text', 'Second line not before the new business case'),
      block('table', 'Year\t2024\t2025\nPlan\t41.0\t12.5\nActual\t43.6\t12.5'),
      block('heading', 'Working capital'),
      block('text', 'Inventories 112 million euros'),
      block('text', 'Receivables 41 days'),
      block('heading', 'Staff'),
      block('text', '1,912 people, 44 in training'),
    ],
    parts: [
      { title: 'Phoenix: cost and return', block: 0 },
      { title: 'Working capital', block: 6 },
      { title: 'Staff', block: 9 },
    ],
  }),
  view({
    document: mail,
    members: [document(107, 'Protocol.pdf', 'pdf', 4), archive],
    layout: 'mail',
    blocks: [
      block('from', 'Priya Raman <p.raman@northwind.example>'),
      block('to', 'Adaeze Okafor <a.okafor@northwind.example>, Jonas Lindqvist <j.lindqvist@northwind.example>'),
      block('copy', 'steering-committee@northwind.example'),
      block('date', 'Tue, 3 Sep 2024 07:40:00 +0200'),
      block('subject', 'Penang: first line handed over'),
      block('text', 'Adaeze, Jonas,'),
      block('text', '~good news from the plant. ~=The first line was handed over =*on 2 September*=, two weeks before the date in the plan.=~ The protocol with all signatures is attached.~'),
      block('text', 'Three points stay open: the second conveyor, the labels in Malay, and the spare parts. Each has a date in chapter 5.'),
      block('text', 'Priya'),
      block('text', 'On 1 September Adaeze Okafor wrote:'),
      block('quote', 'How far are we in Penang?\nThe board meets on the 24th.'),
      block('quote', 'Adaeze'),
    ],
    parts: [{ title: 'Penang: first line handed over', block: 0 }],
  }),
  view({
    document: document(104, 'The Tide Clock, a history.epub', 'epub', 2),
    layout: 'book',
    blocks: [
      block('heading', '4'),
      block('heading', 'The second maker'),
      block('text', 'In the spring of 1887 the workshop stood empty for the first time in forty years. The lathe had been sold to a cooper, and the patterns lay in a trunk that nobody could open.'),
      block('text', '~It was the daughter who kept the accounts and saw what the sons did not. ~=Between March and June she sold =*eleven clocks*=, each to a harbour master who had asked for none.=~ The letters are lost, but the receipts are there, and they are in her hand.~'),
      block('text', 'What she understood was that a clock for the tide is bought by the man who answers for the boats, not by the man who owns them.'),
      block('heading', '5'),
      block('heading', 'Brest'),
      ...Array.from({ length: 30 }, () => block('text', 'By the autumn there were orders from Falmouth and from Brest, and the cooper was asked to give back the lathe. He did, for twice the money.')),
    ],
    parts: [
      { title: 'The second maker', block: 0 },
      { title: 'Brest', block: 5 },
    ],
  }),
  view({
    document: document(105, 'kiln.rs', 'code', 0),
    layout: 'lines',
    rows: [{ name: '', text: code, header: false, numbers: [], marked: [marked(3, '    =// The kiln is never lit at night.=')] }],
  }),
  view({
    document: quote,
    inside: [mail, archive],
    layout: 'text',
    blocks: [
      block('heading', '1 Scope'),
      block('text', 'Labels in Malay and English for forty machines of the first line, printed on steel, mounted by us.'),
      block('heading', '2 Terms'),
      block('text', '~All prices are in ringgit and without tax. ~=This quote is open =*until 30 September 2024*=; after that the price of steel is reckoned anew.=~ Half is paid with the order.~'),
      block('table', 'Prices, MYR\t\nLabels, 40 sets\t18,400\nMounting, 6 days\t7,200\nTogether\t25,600'),
    ],
    parts: [
      { title: '1 Scope', block: 0 },
      { title: '2 Terms', block: 2 },
    ],
  }),
  view({ document: archive, layout: 'text', inside: [mail], members: [quote], hits: [], first: null }),
]
