// All words, by feature.
import { chat } from './chat'
import { dialogs } from './dialogs'
import { draft } from './draft'
import { evaluation } from './evaluation'
import { frame } from './frame'
import { library } from './library'
import { mentions } from './mentions'
import { models } from './models'
import { settings } from './settings'
import { survey } from './survey'
import { table } from './table'
import { viewer } from './viewer'
import { why } from './why'

export const en = { frame, chat, draft, evaluation, library, mentions, survey, table, models, viewer, why, settings, dialogs }

/** The messages of every language. */
export type Words = typeof en
