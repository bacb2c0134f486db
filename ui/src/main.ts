import { mount } from 'svelte'
import App from './App.svelte'
import { host } from './ipc/host'
import { session } from './state/session.svelte'
import './styles/fonts.css'
import './styles/tokens.css'
import './styles/ground.css'

await session.boot(await host())
mount(App, { target: document.body })
