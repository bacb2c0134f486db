// A field that grows with its text.
import type { Attachment } from 'svelte/attachments'

/** Fits the field's height to its text; `text` is what makes it run again. */
export function grow(text: string): Attachment<HTMLTextAreaElement> {
  return (field) => {
    if (field.value !== text) field.value = text
    field.style.height = 'auto'
    field.style.height = `${field.scrollHeight}px`
  }
}
