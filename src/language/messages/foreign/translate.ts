/** What stands here in the place of a key of another system. */
import type { Node } from '../../yaml/syntax-tree.ts';

export interface ForeignKey {
  /** Ends with what to do. */
  readonly advice: string;
  /** The key of ours that it is read as from here on, so that nothing follows from the slip. */
  readonly readAs?: string;
  /** The advice writes the whole mapping: nothing else is said of it. */
  readonly isWhole?: true;
  /** It is another word for a kind of step. */
  readonly isKind?: true;
  /** The value of that key, where it is a part of the one that is written. */
  readonly value?: Node;
}

export type Translate = (value: Node) => ForeignKey | undefined;

export const read =
  (readAs: string, why = ''): Translate =>
  () => ({
    advice: `${why}write \`${readAs}\``,
    readAs,
  });
export const drop =
  (advice: string): Translate =>
  () => ({ advice });
