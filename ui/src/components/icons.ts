// The paths of the signs.
export const icons = {
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  up: 'M4 9.5l4-4 4 4',
  down: 'M4 6.5l4 4 4-4',
  back: 'M10 4L6 8l4 4',
  forward: 'M6 4l4 4-4 4',
  find: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M10.4 10.4 13.5 13.5',
  pencil: 'M3 13l.6-2.8L10.5 3.3l2.2 2.2-6.9 6.9zM9 4.8 11.2 7',
  again: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5V5h-2.5',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  folder: 'M2.5 12.5v-9h4l1.5 2h5.5v7z',
  outside: 'M6 3.5H3.5v9h9V10M9 3h4v4M13 3 7.5 8.5',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.5l7 4.5-7 4.5z',
  talk: 'M2.5 3.5h11v7.5H7l-3 2.5V11H2.5z',
  sliders: 'M2.5 5h6M12 5h1.5M2.5 11H4M7.5 11h6M8.5 5a1.75 1.75 0 1 0 3.5 0 1.75 1.75 0 0 0-3.5 0M4 11a1.75 1.75 0 1 0 3.5 0A1.75 1.75 0 0 0 4 11',
  lock: 'M4.5 7.5h7v6h-7zM6 7.5V5.2a2 2 0 0 1 4 0v2.3',
  info: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 7.3v3.4M8 5.2v.01',
  globe: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M2.2 8h11.6M8 2c-4 4-4 8 0 12M8 2c4 4 4 8 0 12',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  document: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
} as const

export type IconName = keyof typeof icons
