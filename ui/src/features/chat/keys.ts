// Actions on the answer, from the palette or by key. All of them are about the last turn.
import { t } from '../../i18n/index.svelte'
import { navigation } from '../../state/navigation.svelte'
import { talk } from '../../state/talk.svelte'
import { why } from '../../state/why.svelte'
import type { Action } from '../../state/actions.svelte'
import { copyTurn, exportAll } from './conversationActions.svelte'
import { citing, openPassage, type TurnPlace } from './places'

function here(): TurnPlace | null {
  return talk.current === null || navigation.page !== 'talk' ? null : { conversation: talk.id, turn: talk.current }
}

/** The last turn, once it is answered. */
function answered() {
  return talk.live === null && here() ? (talk.turns.at(-1) ?? null) : null
}

export function stopAction(): Action {
  return {
    id: 'chat.stop',
    group: 'answer',
    label: () => t.chat.stopAnswer,
    keys: ['Escape'],
    run: () => talk.stop(),
    enabled: () => talk.live?.stoppable === true && navigation.page === 'talk' && navigation.dialog === null,
  }
}

export function answerActions(): Action[] {
  const explain = () => {
    const at = here()
    if (!at?.conversation) return
    const open = navigation.pane === 'why' && why.turn?.turn === at.turn && why.turn.conversation === at.conversation
    if (open) why.close()
    else void why.open(at.conversation, at.turn)
  }
  const actions: Action[] = [
    {
      id: 'chat.edit',
      group: 'ask',
      label: () => t.chat.editLast,
      keys: ['Mod+ArrowUp'],
      run: () => talk.current !== null && talk.edit(talk.current),
      enabled: () => answered() !== null,
    },
    {
      id: 'chat.why',
      group: 'answer',
      label: () => (answered()?.answer?.abstained ? t.chat.whyNone : t.chat.whyLong),
      keys: ['Mod+I'],
      run: explain,
      enabled: () => answered()?.answer != null,
    },
    {
      id: 'chat.copy',
      group: 'answer',
      label: () => t.chat.copyCited,
      keys: ['Mod+Shift+C'],
      run: () => {
        const at = here()
        if (at) void copyTurn(at)
      },
      enabled: () => answered()?.answer != null,
    },
    {
      id: 'chat.again',
      group: 'answer',
      label: () => t.chat.again,
      keys: ['Mod+R'],
      run: () => {
        if (talk.current !== null) talk.again(talk.current)
      },
      enabled: () => answered() !== null,
    },
    {
      id: 'chat.export',
      group: 'answer',
      label: () => t.chat.exportAll,
      keys: ['Mod+Shift+E'],
      run: () => void exportAll(),
      enabled: () => answered() !== null,
    },
  ]
  return [...actions, ...Array.from({ length: 9 }, (_, k) => openAction(k + 1))]
}

function openAction(n: number): Action {
  const card = () => (talk.live ?? talk.turns.at(-1))?.found?.cards.find((one) => one.n === n)
  return {
    id: `chat.open.${n}`,
    group: 'answer',
    label: () => t.chat.openNth(n),
    keys: [`Alt+${n}`],
    keyOnly: true,
    run: () => {
      const at = here()
      if (at) openPassage(at, n, citing(talk.live ? [] : (talk.turns.at(-1)?.answer?.sentences ?? []), n))
    },
    enabled: () => here() !== null && card()?.document != null,
  }
}
