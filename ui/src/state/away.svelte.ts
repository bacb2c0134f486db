// While the person is away the page begins anew, so that what it has taken of memory in hours of work is given back. Where
// they were they find it again.
import { library } from './library.svelte'
import { place } from './place.svelte'
import { session } from './session.svelte'
import { talk } from './talk.svelte'
import { keepWhereaboutsNow } from './whereabouts.svelte'

/** Between two looks at the clock, ms. */
const LOOK = 5000
/** What a person who is there does. */
const SIGNS = ['pointermove', 'pointerdown', 'wheel', 'keydown'] as const
/** What of it leaves something behind in memory. */
const WORK = ['pointerdown', 'keydown'] as const
/** A focus in one of these is in the middle of something; what stands in the box is kept. */
const MIDDLE = '[role=dialog], [role=menu], input, select, textarea:not([data-ask])'

/** Nothing stands there that would not stand there again, and nobody is in the middle of something. */
function isCalm(): boolean {
  return (
    place.page === 'talk' &&
    place.pane === null &&
    place.dialog === null &&
    !place.railOpen &&
    session.awaited === 0 &&
    !talk.live &&
    !talk.loading &&
    !talk.whenReady &&
    !talk.holdsWords &&
    !library.drop &&
    library.excluding === null &&
    document.getSelection()?.isCollapsed !== false &&
    // What went wrong is said until somebody has read it.
    !document.querySelector('[role=alert]') &&
    !library.notice?.warn &&
    !document.activeElement?.closest(MIDDLE)
  )
}

/** Begins the page anew after a while without a question or any other sign of a person; the result ends it. */
export function renewWhileAway(): () => void {
  // A clock that stands still while the machine sleeps: whoever wakes it is there.
  let last = performance.now()
  let worked = false
  const seen = () => (last = performance.now())
  const work = () => (worked = true)
  SIGNS.forEach((sign) => addEventListener(sign, seen, { capture: true, passive: true }))
  WORK.forEach((sign) => addEventListener(sign, work, { capture: true, passive: true }))
  const timer = setInterval(() => {
    const minutes = session.settings.freeAfter
    if (!worked || minutes === null || performance.now() - last < minutes * 60_000 || !isCalm()) return
    keepWhereaboutsNow()
    // Where work goes on it is tried again.
    session.host.call('renew_page', null).then(
      (isSettled) => (worked &&= !isSettled),
      () => undefined,
    )
  }, LOOK)
  return () => {
    clearInterval(timer)
    SIGNS.forEach((sign) => removeEventListener(sign, seen, { capture: true }))
    WORK.forEach((sign) => removeEventListener(sign, work, { capture: true }))
  }
}
