import { joinWindows } from '../join.ts';
import type { Payload } from '../payloads.ts';
import { promptKind } from './prompts.ts';
import { MAX_TEXT_BYTES, textAt, utf16At } from './text.ts';
import type { ValuesDraft } from './values_draft.ts';

/**
 * Reads a comment: of JPEG (T.81 B.2.4.5), of an APP10 segment in UTF-16, of GIF in sub-blocks (GIF89a
 * section 24), or the text that a GIF draws (section 25).
 */
export function readComment({ windows, label }: Payload, draft: ValuesDraft): void {
  const [first] = windows;
  if (first === undefined) return;
  const block = label === 'text' ? 'text' : 'comment';
  const source = { block, field: label === 'text' ? 'PlainText' : 'Comment' } as const;
  const text = label === 'utf-16' ? utf16At(first, 0, first.length, true) : joinedText(windows);
  draft.add('texts', promptKind(text) ?? 'comment', text, source);
}

/** The joined text of the pieces, up to the longest value. */
function joinedText(windows: Payload['windows']): string {
  const joined = joinWindows(windows, MAX_TEXT_BYTES);
  return joined ? textAt(joined.window, 0, joined.window.length) : '';
}
