// All words, by feature.
import { chat } from './chat'
import { dialogs } from './dialogs'
import { frame } from './frame'
import { library } from './library'
import { mentions } from './mentions'
import { models } from './models'
import { settings } from './settings'
import { viewer } from './viewer'
import { why } from './why'

/** What the engine says is English already. */
const messages: Record<string, string> = {}

export const en = { frame, chat, library, mentions, models, viewer, why, settings, dialogs, messages }

/** What every language has to say. */
export type Words = typeof en
