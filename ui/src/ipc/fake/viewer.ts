// Recorded: a document in the viewer, why an answer is as it is.
import type { OpenView, View, Why, WhyNot } from '../types'
import { documents } from './library'

export const view: View = {
  document: documents[1]!,
  freshness: 'same',
  blocks: [
    { style: 'heading', runs: [{ text: '# Costs', mark: 'plain' }] },
    {
      style: 'text',
      runs: [
        { text: 'This revision was due to unforeseen supply chain disruptions. ', mark: 'window' },
        { text: 'These disruptions caused a 5% increase in hardware procurement costs.', mark: 'sentence', hit: 0 },
        { text: ' Nothing else changed.', mark: 'plain' },
      ],
    },
  ],
  marks: [],
  hits: [{ text: 'These disruptions caused a 5% increase in hardware procurement costs.', page: null }],
  first: 0,
  address: null,
}

export const why: Why = {
  stages: [
    { stage: 'search', ms: 41 },
    { stage: 'rerank', ms: 212 },
    { stage: 'read', ms: 640 },
    { stage: 'write', ms: 1420 },
    { stage: 'check', ms: 96 },
  ],
  totalMs: 2409,
  firstWordMs: 900,
  dense: 40,
  sparse: 40,
  fused: 61,
  passages: [
    {
      rank: 1,
      document: 11,
      name: 'Q3-report.pdf',
      place: 'Documents/2024',
      kind: 'pdf',
      page: 14,
      start: 1000,
      end: 1400,
      first: 210,
      last: 219,
      windows: 3,
      dense: { score: 0.71, rank: 1 },
      sparse: { score: 14.2, rank: 2 },
      fused: { score: 0.0325, rank: 1 },
      rerank: 0.94,
      fate: { is: 'used', n: 1 },
    },
    {
      rank: 2,
      document: 15,
      name: 'Q2-report.pdf',
      place: 'Documents/2024',
      kind: 'pdf',
      page: 12,
      start: 500,
      end: 800,
      first: 90,
      last: 96,
      windows: 2,
      dense: { score: 0.62, rank: 5 },
      sparse: null,
      fused: { score: 0.031, rank: 7 },
      rerank: 0.19,
      fate: { is: 'below' },
    },
  ],
  prompt: { text: 'Answer only from the numbered passages below and cite each sentence as [n].', tokens: 914, limit: 2048 },
  searched: null,
}

export const whyNot: WhyNot = {
  name: 'Q2-report.pdf',
  standing: { is: 'indexed', sentences: 1200 },
  outsideScope: false,
  unembedded: 0,
  best: {
    text: 'The second quarter saw no change in the projected return.',
    page: 12,
    start: 500,
    end: 560,
    dense: { score: 0.41, rank: 96 },
    sparse: null,
    fused: null,
    rerank: 0.12,
  },
  needed: 50,
}

export const viewerCalls = {
  open_view: (_: OpenView) => view,
  why: () => why,
  why_not: () => whyNot,
}
