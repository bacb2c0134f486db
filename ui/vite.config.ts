import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import { defineConfig } from 'vitest/config'

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), svelteTesting()],
  build: { target: ['safari16', 'chrome110'], assetsInlineLimit: 0 },
  // A test holds what the window says of its parts against Cargo.lock, which lies above.
  server: { port: 5183, strictPort: true, fs: { allow: [mode === 'test' ? '..' : '.'] } },
  test: { environment: 'jsdom', include: ['tests/**/*.test.ts', 'src/**/*.test.ts'], setupFiles: ['tests/setup.ts'] },
}))
