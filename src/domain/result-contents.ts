/** The files that a result is made of, by content. A text and a fine-tune have none: the lock holds all of them. */
import { everyFile } from './command-files.ts';
import type { StoredResult } from './result.ts';
import { unreachable } from './unreachable.ts';

export interface ResultContent {
  /** Lower-case hex. */
  readonly sha256: string;
  /** With its dot; empty where it has none, or none is known. */
  readonly extension: string;
  readonly bytes: number;
}

export function contentsOf(result: StoredResult): readonly ResultContent[] {
  switch (result.is) {
    case 'media':
      return [result];
    case 'command':
      return everyFile(result.files);
    case 'text':
    case 'fine_tune':
      return [];
    default:
      return unreachable(result);
  }
}
