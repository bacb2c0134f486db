// What Oriel ships under the Mozilla Public License 2.0, with the versions of Cargo.lock: whoever distributes it has to say where
// the source is. Tauri reads HTML with the first four, and finds the system's folders with the last.
export const parts = ['cssparser 0.37.0', 'cssparser-macros 0.7.1', 'selectors 0.38.0', 'dtoa-short 0.3.5', 'option-ext 0.2.0']
