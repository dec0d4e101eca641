/** What a completion offers, before it is written in the words of the protocol. */
import type { Span } from '../../model/diagnostic.ts';

export interface Offered {
  readonly label: string;
  readonly what: 'key' | 'value' | 'model' | 'step' | 'field' | 'function' | 'root' | 'variable' | 'file' | 'folder';
  /** In a few words, beside the label. */
  readonly detail?: string | undefined;
  /** Markdown. */
  readonly about?: string | undefined;
  /** What is put in the place of `at`; the label where absent. */
  readonly text?: string;
  readonly at: Span;
  /** Offered before the others. */
  readonly isFirst?: boolean;
}
