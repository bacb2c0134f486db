// What can be done from anywhere: palette, sheet of shortcuts, theme, language, text size, the sample.
import { t } from '../../i18n/index.svelte'
import type { Settings } from '../../ipc/types'
import { actions } from '../../state/actions.svelte'
import { library } from '../../state/library.svelte'
import { mentions } from '../../state/mentions.svelte'
import { navigation } from '../../state/navigation.svelte'
import { session } from '../../state/session.svelte'

const sizes = [87.5, 100, 112.5, 125]

/** Offers them until the result is called. What concerns the library is offered by its own feature. */
export function registerAppActions(): () => void {
  const well = () => session.trouble === null
  const change = (patch: Partial<Settings>) => () => void library.attempt(() => session.change(patch))
  const step = (by: 1 | -1) => sizes.at(sizes.indexOf(session.settings.textSize) + by)
  const canStep = (by: 1 | -1) => {
    const at = sizes.indexOf(session.settings.textSize) + by
    return at >= 0 && at < sizes.length
  }
  const set = (keys: string[] = []) => ({ group: 'app' as const, keys })
  return actions.register(
    { ...set(['?']), id: 'shortcuts', label: () => t.dialogs.actions.shortcuts, run: () => navigation.openDialog('shortcuts') },
    {
      ...set(),
      id: 'theme-light',
      label: () => t.dialogs.actions.themeLight,
      run: change({ theme: 'light' }),
      enabled: () => session.settings.theme !== 'light',
    },
    {
      ...set(),
      id: 'theme-dark',
      label: () => t.dialogs.actions.themeDark,
      run: change({ theme: 'dark' }),
      enabled: () => session.settings.theme !== 'dark',
    },
    {
      ...set(),
      id: 'theme-system',
      label: () => t.dialogs.actions.themeSystem,
      run: change({ theme: 'system' }),
      enabled: () => session.settings.theme !== 'system',
    },
    {
      ...set(),
      id: 'english',
      label: () => t.dialogs.actions.english,
      run: change({ language: 'en' }),
      enabled: () => session.settings.language !== 'en',
    },
    {
      ...set(),
      id: 'german',
      label: () => t.dialogs.actions.german,
      run: change({ language: 'de' }),
      enabled: () => session.settings.language !== 'de',
    },
    {
      ...set(),
      id: 'text-larger',
      label: () => t.dialogs.actions.larger,
      run: () => change({ textSize: step(1) })(),
      enabled: () => canStep(1),
    },
    {
      ...set(),
      id: 'text-smaller',
      label: () => t.dialogs.actions.smaller,
      run: () => change({ textSize: step(-1) })(),
      enabled: () => canStep(-1),
    },
    {
      id: 'mentions',
      group: 'ask',
      label: () => t.mentions.action,
      keys: [],
      run: () => mentions.show(),
      enabled: () => well() && !library.empty,
    },
    {
      id: 'add-sample',
      group: 'library',
      label: () => t.dialogs.actions.sample,
      keys: [],
      run: () => void library.addSample(),
      enabled: () => well() && session.library?.folders.every(({ own }) => own !== 'sample') === true,
    },
  )
}
