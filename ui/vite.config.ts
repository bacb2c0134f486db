import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [svelte(), svelteTesting()],
  build: { target: ['safari16', 'chrome110'], assetsInlineLimit: 0 },
  server: { port: 5183, strictPort: true },
  test: { environment: 'jsdom', include: ['tests/**/*.test.ts', 'src/**/*.test.ts'], setupFiles: ['tests/setup.ts'] },
})
