// The page begins here.
import { mount } from 'svelte'
import App from './App.svelte'
import { host } from './ipc/host'
import { session } from './state/session.svelte'
import { restoreNavigation, saveNavigation } from './state/savedNavigation.svelte'
import './styles/fonts.css'
import './styles/tokens.css'
import './styles/ground.css'

// The faces that the first picture needs; drawn without them it would jump.
const faces = ['400 1em "Inter Variable"', '600 1em "Inter Variable"'].map((face) => document.fonts.load(face))
// The documents' own words come a little later; by then their face is here.
void document.fonts.load('400 1em "Source Serif 4 Variable"')
await Promise.all([session.boot(await host()), ...faces])
const back = restoreNavigation()
mount(App, { target: document.body })
await back
saveNavigation()
