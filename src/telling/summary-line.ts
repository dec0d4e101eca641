/** A paragraph of what a run leaves its author with. `role` lets a screen give it a tone and an indent; the words stay the same. */
export interface SummaryLine {
  /** `log`: one line of a command's output. */
  readonly role: 'outcome' | 'failed' | 'detail' | 'log' | 'next' | 'command' | 'output';
  readonly text: string;
}
