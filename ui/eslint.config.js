import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

export default ts.config(
  { ignores: ['dist/', 'node_modules/', 'src/ipc/types.ts'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    rules: {
      // Text of documents and models is never HTML.
      'svelte/no-at-html-tags': 'error',
      // Directives such as style:width go through the DOM and are allowed; an attribute is dropped by the CSP.
      'svelte/no-inline-styles': 'off',
      'no-restricted-syntax': [
        'error',
        { selector: 'SvelteAttribute[key.name="style"]', message: 'The CSP drops style attributes; use style: or a class.' },
        ...['Literal[value=/https?:\\u002f/i]', 'TemplateElement[value.raw=/https?:\\u002f/i]', 'SvelteLiteral[value=/https?:\\u002f/i]'].map(
          (selector) => ({ selector, message: 'The window knows no address.' }),
        ),
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      'no-restricted-properties': [
        'error',
        { property: 'innerHTML', message: 'Text is never HTML.' },
        { property: 'outerHTML', message: 'Text is never HTML.' },
        { property: 'insertAdjacentHTML', message: 'Text is never HTML.' },
        { object: 'document', property: 'write', message: 'Text is never HTML.' },
      ],
      'no-restricted-globals': ['error', 'fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'],
    },
  },
  // Other people's addresses are what some of them test with.
  { files: ['tests/**'], rules: { 'no-restricted-syntax': 'off' } },
)
