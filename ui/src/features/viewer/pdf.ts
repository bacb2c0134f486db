// The one place that names pdf.js: opens a document, draws a page, lays out its text. Loaded with the first PDF.
import {
  AnnotationMode,
  GlobalWorkerOptions,
  PDFDataRangeTransport,
  PDFWorker,
  RenderingCancelledException,
  TextLayer,
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { sharpness, type Size } from './geometry'
import type { PageText } from './pageText'

export type { PDFDocumentProxy, PDFPageProxy }

// Own files, so that nothing is asked of the network: character maps, the fonts every PDF may take for granted, decoders.
const files: Record<string, string> = {
  ...import.meta.glob<string>('/node_modules/pdfjs-dist/cmaps/*.bcmap', { query: '?url', import: 'default', eager: true, exhaustive: true }),
  ...import.meta.glob<string>('/node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', { query: '?url', import: 'default', eager: true, exhaustive: true }),
  ...import.meta.glob<string>('/node_modules/pdfjs-dist/wasm/{jbig2,openjpeg}.wasm', { query: '?url', import: 'default', eager: true, exhaustive: true }),
}
const byName = new Map(Object.entries(files).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]))

/** Gives the worker the files it asks for by name. */
class OwnFiles {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const url = byName.get(filename)
    if (!url) throw new Error(`pdf.js asks for ${filename}, which Oriel does not bring along`)
    const response = await request(url)
    return new Uint8Array(await response.arrayBuffer())
  }
}

GlobalWorkerOptions.workerSrc = workerUrl

function request(url: string, range?: string): Promise<Response> {
  // The only requests of the window: its own files, and a document's bytes from the shell.
  // eslint-disable-next-line no-restricted-globals
  return fetch(url, range ? { headers: { Range: range } } : {})
}

const firstBytes = 65_536

/** Gets bytes as pdf.js wants them. pdf.js itself asks for ranges over http only, and the shell's addresses are not. */
class Ranges extends PDFDataRangeTransport {
  constructor(
    private readonly address: string,
    length: number,
    initial: Uint8Array,
    private readonly failed: (error: unknown) => void,
  ) {
    super(length, initial)
  }

  override requestDataRange(begin: number, end: number) {
    request(this.address, `bytes=${begin}-${end - 1}`)
      .then(async (response) => {
        if (response.status !== 206) throw new Error(await said(response))
        this.onDataRange(begin, new Uint8Array(await response.arrayBuffer()))
      })
      .catch(this.failed)
  }
}

async function said(response: Response): Promise<string> {
  return (await response.text().catch(() => '')).trim() || `${response.status} ${response.statusText}`.trim()
}

/** What `getDocument` is given: the beginning and a way to the rest, or the whole where ranges are not to be had. */
async function source(address: string, failed: (error: unknown) => void) {
  const start = await request(address, `bytes=0-${firstBytes - 1}`).catch(() => request(address))
  const length = Number(/\/(\d+)$/.exec(start.headers.get('Content-Range') ?? '')?.[1])
  if (start.status === 206 && length > 0) {
    return { range: new Ranges(address, length, new Uint8Array(await start.arrayBuffer()), failed) }
  }
  const all = start.status === 206 ? await request(address) : start
  if (!all.ok) throw new Error(await said(all))
  return { data: new Uint8Array(await all.arrayBuffer()) }
}

export interface OpenPdf {
  document: PDFDocumentProxy
  close: () => void
}

/** Opens a document; `failed` is called if its bytes cannot be loaded later. */
export async function openPdf(address: string, failed: (error: unknown) => void): Promise<OpenPdf> {
  const from = await source(address, failed)
  // A port of our own: pdf.js takes the shell's origin for a foreign one and would start the worker from a blob.
  const port = new Worker(workerUrl, { type: 'module' })
  const worker = PDFWorker.create({ port })
  const task = getDocument({
    ...from,
    worker,
    BinaryDataFactory: OwnFiles,
    useWorkerFetch: false,
    isEvalSupported: false,
    enableXfa: false,
    disableAutoFetch: true,
    disableStream: true,
  })
  const close = () => {
    void task.destroy().finally(() => {
      worker.destroy()
      port.terminate()
    })
  }
  try {
    return { document: await task.promise, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Width and height of a page on paper, in the window's pixels. */
export function sizeOf(page: PDFPageProxy): Size {
  const { width, height } = page.getViewport({ scale: paper })
  return { width, height }
}

/** Pixels of the window to a point of the page. */
export const paper = 96 / 72

/** Draws a page on a canvas of its own, which takes the place of what `host` holds when it is done. */
export function draw(page: PDFPageProxy, scale: number, host: HTMLElement): { done: Promise<void>; cancel: () => void } {
  const viewport = page.getViewport({ scale: scale * paper })
  const sharp = sharpness(viewport.width, viewport.height, devicePixelRatio)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(viewport.width * sharp))
  canvas.height = Math.max(1, Math.round(viewport.height * sharp))
  const task = page.render({
    canvas,
    viewport,
    transform: [sharp, 0, 0, sharp, 0, 0],
    annotationMode: AnnotationMode.ENABLE,
  })
  const done = task.promise.then(
    () => {
      free(host)
      host.replaceChildren(canvas)
    },
    (error: unknown) => {
      // It is never shown: its memory is freed at once.
      canvas.width = canvas.height = 0
      if (!(error instanceof RenderingCancelledException)) throw error
    },
  )
  return { done, cancel: () => task.cancel() }
}

/** Frees the memory of what was drawn. */
export function free(host: HTMLElement) {
  for (const canvas of host.querySelectorAll('canvas')) canvas.width = canvas.height = 0
  host.replaceChildren()
}

type TextItems = Awaited<ReturnType<PDFPageProxy['getTextContent']>>

/** The page's text as it was drawn, piece by piece. */
async function textOf(page: PDFPageProxy): Promise<TextItems> {
  const reader = page.streamTextContent({ disableNormalization: true }).getReader() as ReadableStreamDefaultReader<TextItems>
  const all: TextItems = { items: [], styles: {}, lang: null }
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return all
    all.lang ??= value.lang
    Object.assign(all.styles, value.styles)
    all.items.push(...value.items)
  }
}

/** The page's text alone, a line break where a line ends. */
export async function plainText(page: PDFPageProxy): Promise<string> {
  const { items } = await textOf(page)
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
}

/** Lays the page's text over it, unseen, to be selected and measured. */
export async function layText(page: PDFPageProxy, scale: number, layer: HTMLElement): Promise<PageText> {
  const content = await textOf(page)
  layer.replaceChildren()
  const text = new TextLayer({ textContentSource: content, container: layer, viewport: page.getViewport({ scale: scale * paper }) })
  await text.render()
  const strings = content.items.flatMap((item) => ('str' in item ? [item.str + (item.hasEOL ? '\n' : '')] : []))
  return { pieces: text.textDivs.map((element, i) => ({ element, text: strings[i] ?? '' })) }
}
