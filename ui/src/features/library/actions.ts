// What the library's side offers by name and by key, wherever the user is.
import { t } from '../../i18n/index.svelte'
import { actions } from '../../state/actions.svelte'
import { draft } from '../../state/draft.svelte'
import { evaluation } from '../../state/evaluation.svelte'
import { library } from '../../state/library.svelte'
import { navigation } from '../../state/navigation.svelte'
import { session } from '../../state/session.svelte'
import { talk } from '../../state/talk.svelte'
import { selectedText } from '../draft/selection'

/** Begins a new conversation. */
export function newQuestion() {
  library.unfold(false)
  talk.fresh()
}

/** Opens a conversation. */
export function openTalk(id: string) {
  library.unfold(false)
  void talk.open(id)
}

/** Checks the selected text, or shows the page for it. */
export function checkDraft() {
  library.unfold(false)
  const text = selectedText()
  if (text) draft.checkText(text)
  else draft.show()
}

/** Shows the page on which the library is measured. */
export function showEvaluation() {
  library.unfold(false)
  evaluation.show()
}

export function registerLibraryActions(): () => void {
  const well = () => session.trouble === null
  return actions.register(
    {
      id: 'new-question',
      group: 'ask',
      label: () => t.library.newQuestion,
      keys: ['Mod+N'],
      run: newQuestion,
      enabled: () => well() && !library.empty,
    },
    {
      id: 'check-draft',
      group: 'ask',
      label: () => t.draft.page,
      keys: ['Mod+D'],
      run: checkDraft,
      enabled: () => well() && !library.empty && navigation.dialog === null,
    },
    {
      id: 'evaluation',
      group: 'library',
      label: () => t.evaluation.page,
      keys: [],
      run: showEvaluation,
      enabled: () => well() && !library.empty,
    },
    {
      id: 'search',
      group: 'app',
      label: () => t.library.search,
      keys: ['Mod+K'],
      run: () => navigation.openDialog('palette'),
      enabled: well,
    },
    {
      id: 'settings',
      group: 'app',
      label: () => t.library.settings,
      keys: ['Mod+,'],
      run: () => navigation.openSettings(),
      enabled: well,
    },
    {
      id: 'choose-folder',
      group: 'library',
      label: () => t.library.chooseFolder,
      keys: ['Mod+O'],
      run: () => void library.chooseFolder(),
      enabled: well,
    },
    {
      id: 'choose-files',
      group: 'library',
      label: () => t.library.chooseFiles,
      keys: [],
      run: () => void library.chooseFiles(),
      enabled: well,
    },
    {
      id: 'pause-or-resume',
      group: 'library',
      label: () => t.library.pauseOrResume,
      keys: ['Mod+P'],
      run: () => void library.pauseOrResume(),
      enabled: () => well() && (library.busy || library.halted),
    },
    {
      id: 'look-again',
      group: 'library',
      label: () => t.library.lookAgain,
      keys: [],
      run: () => void library.rescan(),
      enabled: () => well() && !library.empty,
    },
    {
      id: 'failures',
      group: 'library',
      label: () => t.library.failures.title(session.library?.failed ?? 0, String(session.library?.failed ?? 0)),
      keys: [],
      run: () => (navigation.page = 'failures'),
      enabled: () => well() && (session.library?.failed ?? 0) > 0,
    },
    {
      id: 'unread',
      group: 'library',
      label: () => t.library.unread.action,
      keys: [],
      run: () => (navigation.page = 'failures'),
      enabled: () => well() && (session.library?.empty ?? 0) + (session.library?.skipped ?? 0) + (session.library?.links ?? 0) > 0,
    },
  )
}
