// The recorded answers of the fake host, put together from the features' own.
import type { Calls, Streams } from './host'
import { chatCalls, chatStreams } from './chat'
import { draftCalls, draftStreams } from './draft'
import { evaluationCalls, evaluationStreams } from './evaluation'
import { libraryCalls, libraryStreams } from './library'
import { mentionCalls } from './mentions'
import { settingsCalls, settingsStreams } from './settings'
import { viewerCalls } from './viewer'

export const calls: Calls = { ...libraryCalls, ...chatCalls, ...viewerCalls, ...mentionCalls, ...draftCalls, ...evaluationCalls, ...settingsCalls }
export const streams: Streams = { ...libraryStreams, ...chatStreams, ...draftStreams, ...evaluationStreams, ...settingsStreams }
